import { expect } from 'vitest'
import { test } from '../../../test/support/approvals.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError } from '../../../test/support/faults.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'

async function changed(service: Service, panel: Panel, action: string, ids: number[]): Promise<number> {
  const { id } = (await panel.post('/users-bulk', { action, ids })).json<{ data: { id: number } }>().data
  expect((await panel.post(`/users-bulk/${id}/start`)).statusCode).toBe(202)
  await drain(service)
  return id
}

test.for([
  ['restored', 'restore', (panel: Panel, id: number) => panel.delete(`/user/${id}`)],
  ['activated', 'activate', (panel: Panel, id: number) => panel.patch('/user-update', { id, status: 'suspended' })],
] as const)(
  'accounts that were %s together are not taken away again by one administrator',
  async ([, action, away], { service }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user()
    await away(panel, userId)
    const id = await changed(service, panel, action, [userId])
    expectError(await (await givenPanel(service)).post(`/users-bulk/${id}/undo`), 409, 'CONFLICT')
    await drain(service)
    expect((await panel.get(`/user-profile?id=${userId}`)).json().data).toMatchObject({
      status: 'active',
      deleted_at: null,
    })
  },
)
