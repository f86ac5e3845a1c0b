import { setTimeout as sleep } from 'node:timers/promises'

/** One call of the app: the status (0: no answer) and the answer’s body, as far as it is JSON. */
type Called = { status: number; body: Record<string, unknown> }

/** Makes a call of the app as somebody; never throws. */
export type Call = (method: 'GET' | 'POST' | 'PUT', path: string, payload?: Record<string, unknown>) => Promise<Called>

const TIMEOUT_MS = 10_000
const LONGEST_REST_S = 60

/**
 * The app of one person at the API at `base`. It signs in when it first needs to, and again when its session has ended.
 * Where it is told to wait, it waits, at most a minute, and tries once more.
 */
export function createApp(base: string, account: { email: string; password: string }, signal: AbortSignal): Call {
  let token: string | undefined
  const ask = async (method: string, path: string, payload?: Record<string, unknown>): Promise<Called> => {
    try {
      const response = await fetch(base + path, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(payload && { 'content-type': 'application/json' }),
        },
        body: payload ? JSON.stringify(payload) : null,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
      if (response.status !== 429) return { status: response.status, body }
      const seconds = Math.min(Number(response.headers.get('retry-after')) || 1, LONGEST_REST_S)
      await sleep(seconds * 1_000, undefined, { signal })
      return { status: 429, body }
    } catch {
      return { status: 0, body: {} }
    }
  }
  const signIn = async (): Promise<boolean> => {
    token = undefined
    const { body } = await ask('POST', '/api/v1/login', account)
    token = (body['data'] as { token?: string } | undefined)?.token
    return token !== undefined
  }
  return async (method, path, payload) => {
    if (token === undefined && !(await signIn())) return { status: 401, body: {} }
    const first = await ask(method, path, payload)
    if (first.status !== 401) return first
    return (await signIn()) ? ask(method, path, payload) : first
  }
}
