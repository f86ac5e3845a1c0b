import { randomUUID } from 'node:crypto'
import { until } from '../../server/test/support/until.ts'

export const ADMIN = { ADMIN_EMAIL: 'admin@torture.example', ADMIN_PASSWORD: 'only the torture knows' }

export type Answer = { status: number; text: string; data: Record<string, unknown> }

/** Calls the API as the holder of `token`. */
export async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    body: options.body === undefined ? null : JSON.stringify(options.body),
  })
  const text = await answer.text()
  const { data = {} } = JSON.parse(text) as { data?: Record<string, unknown> }
  return { status: answer.status, text, data }
}
type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> }

/** Signs the administrator in; retries while a process that just started answers 503. */
export async function signIn(url: string): Promise<string> {
  const body = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }
  let answer = await call(url, 'POST', '/api/admin/v1/login', { body })
  await until('the API took the sign-in', 10_000, async () => {
    if (answer.status === 503) answer = await call(url, 'POST', '/api/admin/v1/login', { body })
    return answer.status !== 503
  })
  return String(expectStatus(200, answer).data['token'])
}

/** Registers a new user; returns the access token and id. */
export async function register(url: string): Promise<{ token: string; userId: number }> {
  const body = { email: `${randomUUID()}@torture.example`, password: randomUUID(), name: 'A new owner' }
  const { data } = expectStatus(201, await call(url, 'POST', '/api/v1/register', { body }))
  return { token: String(data['token']), userId: (data['user'] as { user_id: number }).user_id }
}

export const MESSAGE = { title: 'Swap weekend', text: 'Two days, no fees.', data: { link: 'swapbell://weekend' } }

/** Starts a campaign to everyone; returns its id. */
export async function sendToAll(url: string, token: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await call(url, 'POST', '/api/admin/send-notification-all', { token, headers, body: MESSAGE })
  return Number(expectStatus(202, answer).data['notification_id'])
}

/** Sends to named users; returns the message's id. */
export async function sendToNamed(url: string, token: string, body: object): Promise<number> {
  const answer = await call(url, 'POST', '/api/admin/send-notification', { token, body })
  return Number(expectStatus(202, answer).data['notification_id'])
}

/** Returns the answer if it has this status; throws otherwise. */
export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status) throw new Error(`expected ${status} and got ${answer.status}: ${answer.text}`)
  return answer
}
