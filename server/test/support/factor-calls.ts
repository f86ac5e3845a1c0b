import { randomUUID } from 'node:crypto'
import { sendOrAsk, type StaffSend } from '../../src/push/messages/staff-send.ts'
import type { Call } from './calls.ts'
import { commitWorkBy } from './commit.ts'
import type { Service } from './service.ts'

/** Two sends that another administrator asked for and that wait, each with its pin. */
export type ApprovalWorld = { id: number; pin: string }[]

export async function givenApprovals({ deps, given }: Service): Promise<ApprovalWorld> {
  const { userId } = await given.admin()
  const actor = { userId, role: 'admin', ip: null, userAgent: null, requestId: null } as const
  const strict = { ...deps, config: { ...deps.config, APPROVALS: ['sends'], APPROVAL_RECIPIENTS: 0 } }
  const ask = (title: string) => {
    const content = { title, text: 'Together' }
    const send: StaffSend = { audience: { kind: 'all' }, content, lane: 'campaign', origin: 'bulk', senderId: userId }
    return commitWorkBy(actor, strict, sendOrAsk, send)
  }
  const answers = [await ask('One'), await ask('Two')]
  return answers.flatMap((one) => ('approval' in one ? [{ id: one.approval.approval_id, pin: one.approval.pin }] : []))
}

export function approvalCalls([one, other]: ApprovalWorld): Record<string, Call> {
  const path = '/api/admin/approvals'
  return {
    [`GET ${path}/:id/users`]: { method: 'GET', url: `${path}/${one?.id}/users`, status: 200 },
    [`POST ${path}/:id/approve`]: post(`${path}/${one?.id}/approve`, 200, { pin: one?.pin }),
    [`POST ${path}/:id/refuse`]: post(`${path}/${other?.id}/refuse`, 200, { reason: 'Not now' }),
  }
}

/** The calls of the second factor. Nobody here has one: `second-factor.test.ts` and `passkeys.test.ts` do. */
export function factorCalls(): Record<string, Call> {
  const own = '/api/v1/account/second-factor'
  const code = { code: '000000' }
  const passkeys = '/api/v1/account/passkeys'
  const panel = '/api/admin/v1/session/passkey'
  const pending = { pending_token: 'A'.repeat(43) }
  const signed = { id: 'AAAA', client_data: 'AAAA', authenticator_data: 'AAAA', signature: 'AAAA' }
  const credential = { id: 'AAAA', client_data: 'AAAA', attestation: 'AAAA', transports: ['usb'] }
  const secondStep = { pending_token: 'A'.repeat(43), ...code }
  return {
    'POST /api/v1/login/second-factor': post('/api/v1/login/second-factor', 401, secondStep),
    'POST /api/admin/v1/session/second-factor': post('/api/admin/v1/session/second-factor', 401, secondStep),
    [`POST ${own}`]: post(own, 422, { current_password: randomUUID() }),
    [`POST ${own}/confirm`]: post(`${own}/confirm`, 403, code),
    [`POST ${own}/recovery-codes`]: post(`${own}/recovery-codes`, 403, code),
    [`POST ${own}/disable`]: post(`${own}/disable`, 403, code),
    [`POST ${own}/show`]: post(`${own}/show`, 422, code),
    [`POST ${panel}/options`]: post(`${panel}/options`, 401, pending),
    [`POST ${panel}`]: post(panel, 401, { ...pending, passkey: signed }),
    'POST /api/v1/account/passkey-options': post('/api/v1/account/passkey-options', 422, {
      current_password: randomUUID(),
    }),
    [`POST ${passkeys}`]: post(passkeys, 422, { name: 'Laptop', credential }),
    'POST /api/v1/account/show-passkey/options': post('/api/v1/account/show-passkey/options', 409, {}),
    'POST /api/v1/account/show-passkey': post('/api/v1/account/show-passkey', 422, { passkey: signed }),
    [`PATCH ${passkeys}/:passkey_id`]: {
      method: 'PATCH',
      url: `${passkeys}/999999`,
      status: 404,
      payload: { name: 'Phone' },
    },
    [`DELETE ${passkeys}/:passkey_id`]: { method: 'DELETE', url: `${passkeys}/999999`, status: 404 },
  }
}

function post(url: string, status: number, payload: Record<string, unknown>): Call {
  return { method: 'POST', url, status, payload }
}
