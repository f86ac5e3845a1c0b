import { t } from '../translation/translate.ts'
import { refusalInWords, type Refusal } from './refusal.ts'
import { readWrite, unanswered } from './unanswered.ts'

/** How long a call may take. */
const LIMIT_MS = 15_000
const SESSION_IS_OVER = ['UNAUTHENTICATED', 'TOKEN_EXPIRED']

/** The event by which a call asks for a sign-in; its detail is to be called when that has succeeded. */
export const SIGNED_OUT = 'swapbell:signed-out'

/** An answer that was read to its end, so that several callers can have it. */
type Answer = { status: number; headers: Headers; body: ArrayBuffer }

/**
 * Sends the calls of the panel. Each call has a time limit. A write has an Idempotency-Key. One that must not be done
 * twice and got no answer is repeated with the same key, also after a reload if it holds no password. Two equal writes
 * at the same time are one. A call that finds the session ended waits until somebody has signed in again.
 */
export function createSend(): (request: Request) => Promise<Response> {
  const underWay = new Map<string, Promise<Answer>>()
  const untilReload = new Map<string, string>()

  return async (request) => {
    // A page that is being left has no time to wait for anything.
    if (request.keepalive) return fetch(request)
    if (request.method === 'GET') return toResponse(await answerTo(request))
    const { hash: what, hasPassword, isOnce } = await readWrite(request)
    const keys = !isOnce ? undefined : hasPassword ? untilReload : unanswered
    const answer = underWay.get(what) ?? write(request, what, keys).finally(() => underWay.delete(what))
    underWay.set(what, answer)
    return toResponse(await answer)
  }
}

type Keys = Pick<typeof unanswered, 'get'> & { set(hash: string, key: string): unknown; delete(hash: string): unknown }

/** `keys` absent: nothing is kept of it. */
async function write(request: Request, what: string, keys: Keys | undefined): Promise<Answer> {
  const key = keys?.get(what) ?? request.headers.get('Idempotency-Key') ?? crypto.randomUUID()
  request.headers.set('Idempotency-Key', key)
  keys?.set(what, key)
  const answer = await answerTo(request, keys !== undefined)
  keys?.delete(what)
  return answer
}

async function answerTo(request: Request, isOnce = false): Promise<Answer> {
  const retry = request.clone()
  const answer = await answered(request, isOnce)
  const isEnded = answer.status === 401 && SESSION_IS_OVER.some((code) => decodeBody(answer).includes(`"${code}"`))
  return isEnded && (await waitForSignIn()) ? answerTo(retry, isOnce) : answer
}

async function answered(request: Request, isOnce: boolean): Promise<Answer> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(LIMIT_MS)])
  const response = await fetch(request, { signal }).then(read, (thrown: unknown) => thrown)
  if (!(response instanceof Error) && isAnswer(response)) return response
  throw request.method === 'GET' ? notAnswered(response) : lost(isOnce)
}

async function read(response: Response): Promise<Answer | Error> {
  const { status, headers } = response
  return response.arrayBuffer().then(
    (body) => ({ status, headers, body }),
    (thrown: unknown) => thrown as Error,
  )
}

/** False for what a proxy says when it has no answer of the service. */
function isAnswer(answer: unknown): answer is Answer {
  const { status, headers } = answer as Answer
  return status < 500 || (headers.get('Content-Type') ?? '').includes('json')
}

function notAnswered(thrown: unknown): Refusal {
  return thrown instanceof Error && thrown.name === 'TimeoutError'
    ? refusalInWords('TOO_SLOW', t('The service did not answer in time. Try again.'))
    : refusalInWords('UNREACHABLE', t('The service cannot be reached. Check your connection.'))
}

function lost(isOnce: boolean): Refusal {
  const text = isOnce
    ? t('No answer came, so it is not known whether this was done. Try again: it is not done twice.')
    : t('No answer came, so it is not known whether this was done. Reload the page to see.')
  return refusalInWords('UNKNOWN_OUTCOME', text)
}

function decodeBody({ body }: Answer): string {
  return new TextDecoder().decode(body)
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
}

/** False where nobody can be asked, as before the frame is drawn. */
function waitForSignIn(): Promise<boolean> {
  return new Promise((resolve) => {
    const detail = () => resolve(true)
    const isHandled = !dispatchEvent(new CustomEvent(SIGNED_OUT, { cancelable: true, detail }))
    if (!isHandled) resolve(false)
  })
}
