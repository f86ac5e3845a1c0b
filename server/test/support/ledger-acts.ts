import { expect } from 'vitest'
import { purgeUsers } from '../../src/administration/accounts/purge.ts'
import { must } from '../../src/platform/shared/must.ts'
import { runChores } from '../../src/platform/shared/chores.ts'
import { retentionChores } from '../../src/push/retention/retention.ts'
import type { GivenUser } from './given.ts'
import * as acts from './ledger-model-acts.ts'
import type { LedgerModel, ModelPerson, PlannedReceipt } from './ledger-model.ts'
import type { Service } from './service.ts'
import { sweep } from './sweep.ts'

const DAY_MS = 86_400_000
const RECEIPTS = { delivered: 'ok', undelivered: 'error:ProviderError', missing: 'missing' } as const
const { signal } = new AbortController()

type Held = { model: LedgerModel; tokens: Map<number, string> }
type Who = { user: GivenUser; person: ModelPerson }

/** A bulk send to everybody who is a test user. */
export async function sendToTestUsers({ app, given }: Service): Promise<number> {
  const { headers } = await given.admin()
  const payload = { title: 'Hello', text: 'All' }
  const answer = await app.inject({ method: 'POST', url: '/api/admin/send-notification-sandbox', headers, payload })
  expect(answer.statusCode).toBe(202)
  return answer.json<{ data: { notification_id: number } }>().data.notification_id
}

export async function addPhone({ app, deps }: Service, { tokens }: Held, { user, person }: Who): Promise<void> {
  const token = `ExponentPushToken[${person.userId}-${tokens.size}]`
  const payload = { token, device_id: `phone ${tokens.size}`, platform: 'android' }
  const answer = await app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload })
  expect(answer.statusCode).toBe(200)
  const row = deps.db.selectFrom('mobile_devices').select('id').where('token', '=', token)
  const { id } = await row.executeTakeFirstOrThrow()
  tokens.set(id, token)
  person.deviceIds.push(id)
}

/** What the provider will say of pushes that leave from now on, phone by phone. */
export function planReceipts({ simulator }: Service, { model, tokens }: Held, receipts: PlannedReceipt[]): void {
  for (const [n, [id, token]] of [...tokens].entries()) {
    const receipt = must(receipts[n % receipts.length], 'receipt of a phone')
    model.receipts.set(id, receipt)
    simulator.setToken(token, { receipt: RECEIPTS[receipt] })
  }
}

/** A phone of the person, which may be gone, tells what happened to a copy. */
export async function reactOnPhone(
  { app, deps }: Service,
  { model }: Held,
  { user, person, pick }: Who & { pick: number },
): Promise<void> {
  const copies = model.messages.flatMap(({ messageId, copies: all }) => all.map((copy) => ({ messageId, copy })))
  const own = copies.filter(({ copy }) => copy.person === person && !person.isGone && !copy.isLetGo)
  const chosen = own[pick % Math.max(1, own.length)]
  if (chosen === undefined) return
  const { messageId, copy } = chosen
  const row = deps.db.selectFrom('notifications').select('notification_id').where('message_id', '=', messageId)
  const { notification_id: id } = await row.where('mobile_devices_id', '=', copy.deviceId).executeTakeFirstOrThrow()
  const event = pick % 3 === 0 ? 'dismissed' : 'shown'
  const url = `/api/notification/${id}/events`
  const answer = await app.inject({ method: 'POST', url, headers: user.headers, payload: { event } })
  expect(answer.statusCode).toBe(200)
  copy[event === 'shown' ? 'isShown' : 'isDismissed'] = true
}

export async function purge({ deps, clock }: Service, { model }: Held, person: ModelPerson): Promise<void> {
  const at = new Date(clock.now())
  await deps.db
    .updateTable('users')
    .set({ deleted_at: at, purge_after: at })
    .where('user_id', '=', person.userId)
    .execute()
  expect(await purgeUsers(deps, signal)).toBe(1)
  acts.purge(model, person)
}

/** Keeps as little as settings allow, two days apart if more than once; nothing waits. */
export async function retain(
  { deps, clock }: Service,
  { model }: Held,
  { before, runs }: { before: number; runs: number },
): Promise<void> {
  await sweep(deps)
  const messages = await deps.db.selectFrom('messages').select(['message_id', 'completed_at']).execute()
  const over = new Map(messages.map((row) => [row.message_id, row.completed_at?.getTime() ?? 0]))
  const config = { ...deps.config, RETENTION_DAYS: 31, RETENTION_MESSAGE_DAYS: 1 }
  for (let run = 0; run < runs; run++) {
    await clock.setTime(clock.now() + 2 * DAY_MS)
    await runChores(deps.log, retentionChores({ ...deps, config }, signal))
    acts.letGo(model, { before, now: clock.now(), over })
  }
}
