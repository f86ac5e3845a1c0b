import { URI, type TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { Role } from '../../src/platform/tables/tables.ts'
import { insertAccount, PASSWORD, post } from './accounts.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

/**
 * A second factor with a recovery code, a passkey, a sign-in that waits for its second step, and requests for approval:
 * about the person, of a send to them alone, by them, and decided by them.
 */
export async function givenFactorRows({ deps, clock }: Service, { userId }: GivenUser, mark: string): Promise<void> {
  const at = new Date(clock.now())
  const bytes = Buffer.alloc(32, 7)
  const own = { user_id: userId, key_id: 'key', sealed: bytes, created_at: at, confirmed_at: at }
  await deps.db.insertInto('second_factors').values(own).execute()
  await deps.db.insertInto('recovery_codes').values({ user_id: userId, code_hash: bytes }).execute()
  const key = { credential_id: bytes, public_key: bytes, sign_count: 0, transports: ['usb'] }
  await deps.db
    .insertInto('passkeys')
    .values({ ...key, user_id: userId, name: mark, created_at: at })
    .execute()
  await deps.db
    .insertInto('passkey_challenges')
    .values({ user_id: userId, purpose: 'prove', challenge_hash: bytes, expires_at: at })
    .execute()
  const pending = { user_id: userId, token_hash: bytes, password_mark: bytes, expires_at: at }
  await deps.db.insertInto('pending_sign_ins').values(pending).execute()
  const approval = {
    kind: 'role',
    request: JSON.stringify({ mark }),
    pin: 'pin',
    reason: mark,
    status: 'refused',
  } as const
  const send = (userIds: number[]) => {
    const [audience, content] = [
      { kind: 'users', userIds },
      { title: mark, text: mark },
    ]
    return JSON.stringify({ audience, content, texts: { en: content }, lane: 'transactional', recipients: 1 })
  }
  const fields = { status_reason: mark }
  const requests = [
    { subject_id: userId, result: JSON.stringify({ mark }) },
    { kind: 'send', request: send([userId]) },
    { kind: 'send', request: send([1, 2]), author_id: userId },
    { kind: 'role', request: JSON.stringify({ userId: 1, fields }), author_id: userId, reason: null },
    { kind: 'bulk', request: JSON.stringify({ reason: mark }), author_id: userId },
    { kind: 'bulk', request: '{}', decided_by: userId },
  ] as const
  for (const request of requests)
    await deps.db
      .insertInto('approvals')
      .values({ ...approval, ...request, created_at: at, expires_at: at })
      .execute()
}

const OWN = '/api/v1/account/second-factor'
/** A code is of a step of 30 s. */
export const STEP_MS = 30_000

/** An administrator who signs in with a password and has an app for codes. */
export type FactorOwner = {
  userId: number
  email: string
  headers: { authorization: string }
  recoveryCodes: string[]
  /** What the app shows now, or `steps` steps later. */
  code(steps?: number): string
}

/** Sets a second factor up over the API, and lets its code become old. */
export async function givenFactor({ app, deps, clock }: Service, role: Role = 'admin'): Promise<FactorOwner> {
  const { email, user_id: userId } = await insertAccount(deps, { role })
  const { token } = (await post(app, '/api/admin/v1/login', { email, password: PASSWORD })).json().data
  const headers = { authorization: `Bearer ${token}` }
  const send = (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload })
  const made = await send(OWN, { current_password: PASSWORD })
  expect(made.statusCode).toBe(201)
  const { codeAt } = createCodeApp(made.json().data.uri)
  const code = (steps = 0) => codeAt(clock.now() + steps * STEP_MS)
  const confirmed = await send(`${OWN}/confirm`, { code: code() })
  expect(confirmed.statusCode).toBe(200)
  await clock.setTime(clock.now() + 2 * STEP_MS)
  return { userId, email, headers, recoveryCodes: confirmed.json().data.recovery_codes, code }
}

/** An app that has scanned the address of a secret. */
export function createCodeApp(uri: string): { secret: string; codeAt: (ms: number) => string } {
  const totp = URI.parse(uri) as TOTP
  return { secret: totp.secret.base32, codeAt: (timestamp) => totp.generate({ timestamp }) }
}

/** The token of a sign-in that waits for its code. */
export async function pendingToken({ app }: Service, { email }: { email: string }): Promise<string> {
  const answer = await post(app, '/api/admin/v1/login', { email, password: PASSWORD })
  expect(answer.statusCode).toBe(202)
  return answer.json().data.pending_token as string
}

export function secondStep({ app }: Service, pending_token: string, code: string) {
  return post(app, '/api/v1/login/second-factor', { pending_token, code })
}

/** OK, or the code of a refusal. */
export async function readCode(answer: Promise<{ statusCode: number; json(): { code?: string } }>): Promise<string> {
  const { statusCode, json } = await answer
  return statusCode === 200 ? 'OK' : (json().code ?? '')
}
