const NAME = 'unanswered'

/** The oldest are forgotten first. */
const MOST = 50

/** The hash of a write, which tells nothing of what it holds. */
export async function hashRequest(request: Request): Promise<string> {
  const text = `${request.method} ${request.url} ${await request.clone().text()}`
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
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
