import { APP } from '../direct/providers-file.ts'
import { isRecord, isString } from '../json.ts'
import type { Kind, Platform } from './push.ts'
import type { Session } from './phone.ts'

/**
 * What a call of the app brought: its data, or a sentence about what went wrong. `status` 0: no answer. `waitSeconds`:
 * Swapbell asks to be called again after this.
 */
export type Answer<T> = { data: T } | { status: number; problem: string; waitSeconds?: number }

/** The calls that the app on a phone makes to Swapbell. None of them throws. */
export type AppCalls = {
  logIn(email: string, password: string): Promise<Answer<Session>>
  registerPhone(session: Session, phone: NewPhone): Promise<Answer<void>>
  logOut(session: Session, deviceId: string): Promise<Answer<void>>
  markRead(session: Session, notificationId: string): Promise<Answer<void>>
  report(session: Session, notificationId: string, event: 'shown' | 'dismissed'): Promise<Answer<void>>
  countUnread(session: Session): Promise<Answer<number>>
}

type NewPhone = { token: string; deviceId: string; platform: Platform; kind: Kind }

const TIMEOUT_MS = 10_000

/** What an app says of its token beside it; Expo's says it by its form. */
const TOKENS = {
  expo: {},
  apns: { token_type: 'apns', app: APP, environment: 'production' },
  'apns-sandbox': { token_type: 'apns', app: APP, environment: 'sandbox' },
  fcm: { token_type: 'fcm', app: APP },
  web: { token_type: 'web', app: APP },
} as const satisfies Record<Kind, object>

/** Makes the calls to the API at `base`, an address without a slash at its end. */
export function createAppCalls(base: string): AppCalls {
  const ask = async <T>(request: Request, read: Reader<T>) => fetchAnswer(base, request, read)
  return {
    logIn: async (email, password) =>
      ask({ method: 'POST', path: '/api/v1/login', body: { email, password } }, ({ data }) => readSession(data, email)),
    registerPhone: async ({ token: bearer }, { token, deviceId, platform, kind }) => {
      const body = { token, ...TOKENS[kind], device_id: deviceId, platform }
      return ask({ method: 'POST', path: '/api/user/save-phone-token', bearer, body }, nothing)
    },
    logOut: async ({ token: bearer }, deviceId) =>
      ask({ method: 'GET', path: `/api/v1/logout?device_id=${encodeURIComponent(deviceId)}`, bearer }, nothing),
    markRead: async ({ token: bearer }, id) =>
      ask({ method: 'GET', path: `/api/notification/${encodeURIComponent(id)}/read`, bearer }, nothing),
    report: async ({ token: bearer }, id, event) =>
      ask(
        { method: 'POST', path: `/api/notification/${encodeURIComponent(id)}/events`, bearer, body: { event } },
        nothing,
      ),
    countUnread: async ({ token: bearer }) =>
      ask({ method: 'GET', path: '/api/notification', bearer }, ({ unread_count: count }) =>
        typeof count === 'number' ? { data: count } : undefined,
      ),
  }
}

type Request = { method: 'GET' | 'POST'; path: string; bearer?: string; body?: unknown }

/** Reads the body of an answer; undefined when it has another form. */
type Reader<T> = (body: Record<string, unknown>) => { data: T } | undefined

async function fetchAnswer<T>(
  base: string,
  { method, path, bearer, body }: Request,
  read: Reader<T>,
): Promise<Answer<T>> {
  try {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const parsed: unknown = await response.json().catch(() => undefined)
    const { status } = response
    if (!response.ok) {
      const waitSeconds = Number(response.headers.get('retry-after'))
      const problem = readProblem(parsed) ?? `Swapbell answered with status ${status}.`
      return { status, problem, ...(waitSeconds > 0 && { waitSeconds }) }
    }
    const found = isRecord(parsed) ? read(parsed) : undefined
    return found ?? { status, problem: 'Swapbell gave an answer that the app does not understand.' }
  } catch {
    return { status: 0, problem: 'Swapbell did not answer.' }
  }
}

function nothing(): { data: void } {
  return { data: undefined }
}

function readProblem(body: unknown): string | undefined {
  return isRecord(body) && isString(body['error']) ? body['error'].slice(0, 300) : undefined
}

function readSession(data: unknown, email: string): { data: Session } | undefined {
  if (!isRecord(data) || !isRecord(data['user'])) return undefined
  const { token, user } = data as { token: unknown; user: Record<string, unknown> }
  const { id, name } = user
  return isString(token) && typeof id === 'number' && isString(name)
    ? { data: { token, userId: id, name: name.slice(0, 100), email } }
    : undefined
}
