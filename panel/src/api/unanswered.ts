const NAME = 'unanswered'

/** The oldest are forgotten first, and each after an hour: an equal press is then a new one. */
const MOST = 50
const KEPT_MS = 3_600_000

/** These may be done twice, but must act each time: what a lost one did may have been undone since. */
const ACTS_AGAIN = /\/(?:push-status\/halt|mails|users-export)$/

/**
 * `isOnce`: an equal write must not be done twice, and the service looks at its key. A write without content, as a
 * pause, acts each time. Whoever finds a hash can guess at what it holds, and passwords are worth it.
 */
export async function readWrite(request: Request): Promise<{ hash: string; hasPassword: boolean; isOnce: boolean }> {
  const body = await request.clone().text()
  const text = new TextEncoder().encode(`${request.method} ${request.url} ${body}`)
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  const hash = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const { pathname } = new URL(request.url)
  // One's own account and the session ignore the key.
  const isKnown = request.method === 'POST' && /^\/api\/admin\/(?!v1\/session)/.test(pathname)
  const isOnce = isKnown && body !== '' && body !== '{}' && !ACTS_AGAIN.test(pathname)
  return { hash, hasPassword: /"(?:\w+_)?password":/.test(body), isOnce }
}

type Kept = [hash: string, key: string, at: number]

/** The Idempotency-Keys of writes that have no answer yet, by their hashes. The tab keeps them when it is reloaded. */
export const unanswered = {
  get: (hash: string) => known().find(([of]) => of === hash)?.[1],
  set: (hash: string, key: string) => keep([...others(hash), [hash, key, Date.now()]]),
  delete: (hash: string) => keep(others(hash)),
}

function known(): Kept[] {
  const kept = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as Kept[]
  return kept.filter(([, , at]) => at > Date.now() - KEPT_MS)
}

function others(hash: string) {
  return known().filter(([of]) => of !== hash)
}

function keep(keys: Kept[]): void {
  sessionStorage.setItem(NAME, JSON.stringify(keys.slice(-MOST)))
}
