import { expect, test as base } from 'vitest'
import { givenPanel, type Panel } from './panel.ts'
import { startService, type Service } from './service.ts'

/** Tests on a service where a second administrator must approve everything that can be. */
export const test = base.extend<'service', Service>('service', { scope: 'file' }, async ({}, { onCleanup }) => {
  const APPROVALS = ['sends', 'bulk-changes', 'roles']
  const service = await startService({ APPROVALS, APPROVAL_RECIPIENTS: 2 })
  onCleanup(() => service.close())
  for (let n = 0; n < 3; n++) await service.given.user({ devices: [{}] })
  return service
})

export type Approval = {
  id: number
  pin: string
  status: string
  result: { notification_id: number } | null
  [field: string]: unknown
}

export function call({ app }: Service, { user }: Panel, path: string, payload: object = {}) {
  return app.inject({ method: 'POST', url: `/api/admin/${path}`, headers: user.headers, payload })
}

export async function readApproval({ app }: Service, { user }: Panel, id: number): Promise<Approval> {
  const answer = await app.inject({ url: '/api/admin/approvals?per_page=100', headers: user.headers })
  return answer.json<{ data: Approval[] }>().data.find((approval) => approval.id === id)!
}

/** What is asked for by a call that must be approved. */
export async function expectApproval(
  service: Service,
  panel: Panel,
  answer: Promise<{ statusCode: number; json(): unknown }>,
) {
  const { statusCode, json } = await answer
  expect(statusCode).toBe(202)
  const { data } = json() as { data: { approval: { id: number; status: string } } }
  expect(data).toEqual({ approval: { id: expect.any(Number), status: 'waiting', expires_at: expect.any(String) } })
  return readApproval(service, panel, data.approval.id)
}

export function approve(service: Service, panel: Panel, { id, pin }: Approval) {
  return call(service, panel, `approvals/${id}/approve`, { pin })
}

export function refuse(service: Service, panel: Panel, { id }: Approval, payload: object = {}) {
  return call(service, panel, `approvals/${id}/refuse`, payload)
}

export async function people(service: Service): Promise<[author: Panel, other: Panel]> {
  return [await givenPanel(service), await givenPanel(service)]
}
