import { expect } from 'vitest'
import { runExport } from '../../src/administration/exports/exports.ts'
import { signatureOf } from '../../src/marketplace/subscriptions/signature.ts'
import { PASSWORD } from './accounts.ts'
import { drain } from './drain.ts'
import { givenFactor, pendingToken, secondStep, STEP_MS } from './factors.ts'
import type { MailService } from './mail.ts'
import { givenPasskey, PASSKEYS, show, signInWithPasskey } from './passkeys.ts'

const SECRET = 'a secret of subscriptions that only the tests know'

/** The settings of a service where all of this story works. */
export const STORY_SETTINGS = { SUBSCRIPTION_WEBHOOK_SECRET: [SECRET], APPROVALS: ['roles'] }

type Headers = Record<string, string>

/** Makes the calls that succeed only after others: mails, links, approvals, events of a store. */
export async function tellStory(service: MailService): Promise<void> {
  const ann = await registerAnn(service)
  await askForRights(service, ann.userId)
  await followLinks(service)
  await subscribe(service, ann.userId)
  await service.deps.activity.flush()
  const proof = { current_password: ANN.password }
  await call(service, 'POST', '/api/v1/account/export', proof, ann.headers)
  await call(service, 'POST', '/api/v1/account/delete', proof, ann.headers)
  await call(service, 'POST', '/api/v1/account/restore', { email: ANN.email, password: ANN.password })
}

async function call(
  { app }: MailService,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  headers = {},
) {
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
  expect.soft(answer.statusCode, url).toBeLessThan(300)
  return answer.json<{ data: Record<string, unknown> }>().data
}

const ANN = { email: 'ann@example.com', password: 'long enough for all', name: 'Ann' }

async function registerAnn(service: MailService): Promise<{ userId: number; headers: Headers }> {
  const { email, password } = ANN
  await call(service, 'POST', '/api/v1/register', ANN)
  await call(service, 'POST', '/api/v1/email/confirm', { token: await service.tokenTo(email) })
  await call(service, 'POST', '/api/v1/password/forgot', { email })
  await call(service, 'POST', '/api/v1/password/reset', { token: await service.tokenTo(email), password })
  const { user, token } = await call(service, 'POST', '/api/v1/login', { email, password })
  return { userId: (user as { user_id: number }).user_id, headers: { authorization: `Bearer ${String(token)}` } }
}

/** Makes the calls of a second factor, whose codes need another time each. */
export async function signInWithFactor(service: MailService): Promise<void> {
  const own = '/api/v1/account/second-factor'
  const panel = '/api/admin/v1/session'
  const admin = await givenFactor(service)
  const credentials = { email: admin.email, password: PASSWORD }
  await secondStep(service, await pendingToken(service, admin), admin.code())
  await call(service, 'POST', '/api/v1/login', credentials)
  const { pending_token } = await call(service, 'POST', panel, credentials)
  await later(service)
  await call(service, 'POST', `${panel}/second-factor`, { pending_token, code: admin.code() })
  await later(service)
  await call(service, 'POST', `${own}/recovery-codes`, { code: admin.code() }, admin.headers)
  await later(service)
  await call(service, 'POST', `${own}/disable`, { code: admin.code() }, admin.headers)
  await call(service, 'POST', panel, credentials)
}

/** Makes the calls of a passkey. */
export async function signInWithKey(service: MailService): Promise<void> {
  const owner = await givenPasskey(service)
  await signInWithPasskey(service, owner)
  await show(service, owner)
  await service.app.inject({ url: PASSKEYS, headers: owner.headers })
  const url = `${PASSKEYS}/${owner.passkeyId}`
  await call(service, 'PATCH', url, { name: 'Key ring' }, owner.headers)
  const payload = { code: owner.recoveryCodes[0] }
  await call(service, 'POST', '/api/v1/account/second-factor/show', payload, owner.headers)
  await service.app.inject({ method: 'DELETE', url, headers: owner.headers })
}

/** Until a code that was not used. */
async function later({ clock }: MailService): Promise<void> {
  await clock.setTime(clock.now() + 2 * STEP_MS)
}

async function askForRights(service: MailService, userId: number): Promise<void> {
  const { headers } = await service.given.user({ role: 'super_admin' })
  await call(service, 'PATCH', '/api/admin/v1/user-update', { id: userId, role: 'moderator' }, headers)
  const moderator = await service.given.user({ role: 'moderator' })
  const url = `/api/admin/v1/user/${moderator.userId}`
  await call(service, 'POST', `${url}/mails`, { kind: 'new_password' }, headers)
  await call(service, 'DELETE', url, undefined, headers)
  await call(service, 'POST', `${url}/restore`, undefined, headers)
}

async function followLinks(service: MailService): Promise<void> {
  const { deps, given } = service
  const { headers, userId } = await given.admin()
  const content = { title: 'Swap weekend', text: 'Two days of swaps near you' }
  const send = '/api/admin/send-notification'
  const sent = await call(service, 'POST', send, { ...content, user_ids: [userId] }, headers)
  await drain(service)
  const id = String(sent['notification_id'])
  const link = await call(service, 'POST', `/api/admin/notifications/${id}/progress-link`, undefined, headers)
  await service.app.inject({ url: String(link['url']) })

  const exports = '/api/admin/v1/users-export'
  const asked = await call(service, 'POST', `${exports}?columns=id,name,city`, undefined, headers)
  await runExport(deps, asked['id'] as number, AbortSignal.timeout(60_000))
  const { download } = await call(service, 'GET', `${exports}/${String(asked['id'])}`, undefined, headers)
  await service.app.inject({ url: (download as { url: string }).url })
}

async function subscribe(service: MailService, userId: number): Promise<void> {
  const { deps } = service
  const plan = { code: 'plus', name: 'Plus', price_cents: 499, currency: 'EUR', period: 'month' as const }
  await deps.db.insertInto('plans').values(plan).execute()
  const now = deps.clock.now()
  const subscription = {
    external_id: 'sub-1',
    user_id: userId,
    plan: plan.code,
    status: 'active',
    current_period_end: new Date(now + 30 * 86_400_000).toISOString(),
  }
  const event = { event_id: 'evt-1', occurred_at: new Date(now).toISOString(), subscription }
  const at = String(Math.floor(now / 1_000))
  await call(service, 'POST', '/api/v1/webhooks/subscriptions/stripe', event, {
    'swapbell-timestamp': at,
    'swapbell-signature': signatureOf(SECRET, { timestamp: at, provider: 'stripe', body: JSON.stringify(event) }),
  })
}
