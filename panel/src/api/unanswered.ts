const NAME = 'unanswered'

/** The oldest are forgotten first. */
const MOST = 50

/** Whoever finds the hash of a write can guess at what it holds, and passwords are worth it. `isBare`: it says nothing
 * beside its address. */
export async function hashRequest(request: Request): Promise<{ hash: string; hasPassword: boolean; isBare: boolean }> {
  const body = await request.clone().text()
  const text = new TextEncoder().encode(`${request.method} ${request.url} ${body}`)
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  const hash = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { hash, hasPassword: /"(?:\w+_)?password":/.test(body), isBare: body === '' || body === '{}' }
}

/** The Idempotency-Keys of writes that have no answer yet, by their hashes. The tab keeps them when it is reloaded. */
export const unanswered = {
  get: (hash: string) => known().find(([of]) => of === hash)?.[1],
  set: (hash: string, key: string) => keep([...others(hash), [hash, key]]),
  delete: (hash: string) => keep(others(hash)),
}

function known(): [hash: string, key: string][] {
  return JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as [string, string][]
}

function others(hash: string) {
  return known().filter(([of]) => of !== hash)
}

function keep(keys: [hash: string, key: string][]): void {
  sessionStorage.setItem(NAME, JSON.stringify(keys.slice(-MOST)))
}
