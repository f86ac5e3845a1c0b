import { randomUUID } from 'node:crypto'
import type { Role, UserStatus } from '../../src/platform/tables/tables.ts'
import type { Deps } from '../../src/deps.ts'
import type { App } from '../../src/platform/http/routes.ts'

/** The password of every account that is made here. */
export const PASSWORD = 'correct horse'

// Made once: a hash takes longer than most tests.
const hashes = new Map<string, Promise<string>>()

type Change = { role?: Role; status?: UserStatus; deleted_at?: Date; has_long_password?: boolean }

/** A stored account with a real password hash. */
export async function insertAccount({ db, passwords }: Deps, change: Change = {}) {
  const name = randomUUID()
  const account = { username: name, email: `${name}@example.com`, name, password_hash: await hashOnce(passwords) }
  return db
    .insertInto('users')
    .values({ ...account, ...change })
    .returning(['user_id', 'email'])
    .executeTakeFirstOrThrow()
}

function hashOnce(passwords: Deps['passwords']): Promise<string> {
  const made = hashes.get(PASSWORD) ?? passwords.hash(PASSWORD)
  hashes.set(PASSWORD, made)
  return made
}

/** The same, signed in over the API: its address and the login answer. */
export async function signedIn(app: App, deps: Deps, change: Change = {}) {
  const { email } = await insertAccount(deps, change)
  const answer = await post(app, '/api/v1/login', { email, password: PASSWORD })
  return { email, data: answer.json().data }
}

export function post(app: App, url: string, payload: object) {
  return app.inject({ method: 'POST', url, payload })
}

export function get(app: App, url: string, token: string | undefined) {
  return app.inject({ url, headers: bearer(token) })
}

export function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}
