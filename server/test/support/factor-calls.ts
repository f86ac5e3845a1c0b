import { randomUUID } from 'node:crypto'
import type { Call } from './calls.ts'

/** The calls of the second factor. Nobody here has one: `second-factor.test.ts` does. */
export function factorCalls(): Record<string, Call> {
  const own = '/api/v1/account/second-factor'
  const code = { code: '000000' }
  const secondStep = { pending_token: 'A'.repeat(43), ...code }
  return {
    'POST /api/v1/login/second-factor': post('/api/v1/login/second-factor', 401, secondStep),
    'POST /api/admin/v1/session/second-factor': post('/api/admin/v1/session/second-factor', 401, secondStep),
    [`GET ${own}`]: { method: 'GET', url: own, status: 200 },
    [`POST ${own}`]: post(own, 422, { current_password: randomUUID() }),
    [`POST ${own}/confirm`]: post(`${own}/confirm`, 403, code),
    [`POST ${own}/recovery-codes`]: post(`${own}/recovery-codes`, 403, code),
    [`POST ${own}/disable`]: post(`${own}/disable`, 403, code),
  }
}

function post(url: string, status: number, payload: Record<string, unknown>): Call {
  return { method: 'POST', url, status, payload }
}
