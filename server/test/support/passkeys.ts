import { expect } from 'vitest'
import type { Role } from '../../src/platform/tables/tables.ts'
import { insertAccount, PASSWORD, post } from './accounts.ts'
import { createAuthenticator, type Authenticator, type Lie } from './authenticator.ts'
import type { Service } from './service.ts'

export const PASSKEYS = '/api/v1/account/passkeys'
const PANEL = '/api/admin/v1/session'

type Sent = { app: Service['app'] }
type Headers = { authorization: string }

/** An administrator with one passkey. */
export type PasskeyOwner = {
  userId: number
  email: string
  headers: Headers
  authenticator: Authenticator
  passkeyId: number
  recoveryCodes: string[]
}

export async function givenPasskey(
  service: Service,
  { role = 'admin', authenticator = createAuthenticator() }: { role?: Role; authenticator?: Authenticator } = {},
): Promise<PasskeyOwner> {
  const { email, user_id: userId } = await insertAccount(service.deps, { role })
  const { token } = (await post(service.app, '/api/admin/v1/login', { email, password: PASSWORD })).json().data
  const headers = { authorization: `Bearer ${token}` }
  const options = await startPasskey(service, headers, { current_password: PASSWORD })
  expect(options.statusCode).toBe(200)
  const added = await own(service, headers, 'passkeys', {
    name: 'Laptop',
    credential: authenticator.create(options.json().data),
  })
  expect(added.statusCode).toBe(201)
  const { passkey, recovery_codes: recoveryCodes } = added.json().data
  return { userId, email, headers, authenticator, passkeyId: passkey.id, recoveryCodes }
}

export function own({ app }: Sent, headers: Headers, path: string, payload: object) {
  return app.inject({ method: 'POST', url: `/api/v1/account/${path}`, headers, payload })
}

export function startPasskey(service: Sent, headers: Headers, proof: object = {}) {
  return own(service, headers, 'passkey-options', proof)
}

/** Adds another passkey of the authenticator. */
export async function addAnother(service: Sent, { headers, authenticator }: PasskeyOwner, lie: Lie = {}) {
  const options = await startPasskey(service, headers)
  expect(options.statusCode).toBe(200)
  return own(service, headers, 'passkeys', { name: 'Key', credential: authenticator.create(options.json().data, lie) })
}

/** Shows one of the passkeys again. */
export async function show(service: Sent, { headers, authenticator }: PasskeyOwner, lie: Lie = {}) {
  const options = (await own(service, headers, 'show-passkey/options', {})).json().data
  return own(service, headers, 'show-passkey', { passkey: authenticator.sign(options, lie) })
}

/** A sign-in to the panel that waits for its second step. */
export async function pendingAtPanel({ app }: Sent, { email }: { email: string }): Promise<string> {
  const answer = await post(app, PANEL, { email, password: PASSWORD })
  expect(answer.statusCode).toBe(202)
  return answer.json().data.pending_token as string
}

export async function askedAtPanel({ app }: Sent, pending_token: string) {
  const answer = await post(app, `${PANEL}/passkey/options`, { pending_token })
  expect(answer.statusCode).toBe(200)
  return answer.json().data
}

export function answerAtPanel({ app }: Sent, pending_token: string, passkey: object) {
  return post(app, `${PANEL}/passkey`, { pending_token, passkey })
}

/** All of it; the last answer. */
export async function signInWithPasskey(service: Sent, owner: PasskeyOwner, lie: Lie & { id?: string } = {}) {
  const token = await pendingAtPanel(service, owner)
  return answerAtPanel(service, token, owner.authenticator.sign(await askedAtPanel(service, token), lie))
}

/** The entries of the audit log about an account, the last first. */
export async function readAudit(service: Service, userId: number): Promise<{ action: string; after: unknown }[]> {
  const { headers } = await service.given.user({ role: 'super_admin' })
  const url = `/api/admin/v1/audit-log?entity=user&entity_id=${userId}`
  return (await service.app.inject({ url, headers })).json().data
}

export async function later({ clock }: Service, ms: number): Promise<void> {
  await clock.setTime(clock.now() + ms)
}

export function remove({ app }: Sent, { headers, passkeyId }: PasskeyOwner) {
  return app.inject({ method: 'DELETE', url: `${PASSKEYS}/${passkeyId}`, headers })
}
