import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

/** It stands in every text that the person left or that is about them. */
export const MARK = 'Zaphodmark'
/** The number of the person's account, which nothing else has. */
export const NUMBER = 7_007_007_007
/** Where the person calls from. */
export const ADDRESS = '203.0.113.77'

export async function groupRow({ deps, clock }: Service, { userId }: GivenUser): Promise<number> {
  const at = new Date(clock.now())
  const { group_id } = await deps.db
    .insertInto('groups')
    .values({ owner_id: userId, name: MARK, description: MARK, created_at: at, updated_at: at })
    .returning('group_id')
    .executeTakeFirstOrThrow()
  const member = { group_id, user_id: userId, status: 'approved', requested_at: at, decided_by: userId } as const
  await deps.db.insertInto('group_members').values(member).execute()
  return group_id
}

export async function subscriptionRow({ deps, clock }: Service, { userId }: GivenUser): Promise<void> {
  const at = new Date(clock.now())
  const { plan_id } = await deps.db
    .insertInto('plans')
    .values({ code: 'plus', name: 'Plus', price_cents: 100, currency: 'EUR', period: 'month' })
    .returning('plan_id')
    .executeTakeFirstOrThrow()
  const paid = { plan_id, status: 'active', provider: 'stripe', external_id: MARK, current_period_end: at } as const
  await deps.db
    .insertInto('subscriptions')
    .values({ ...paid, user_id: userId, started_at: at, created_at: at, updated_at: at })
    .execute()
}

/** A mail that was sent, one that waits, and the token of a link. */
export async function mailRows({ deps, clock }: Service, { userId }: GivenUser): Promise<void> {
  const at = new Date(clock.now() + 31 * 86_400_000)
  const mail = { user_id: userId, address: `${MARK}@example.com`, due_at: at, useful_until: at, created_at: at }
  await deps.db
    .insertInto('mails')
    .values([
      { ...mail, kind: 'password_changed' },
      { ...mail, kind: 'address_changed', status: 'sent', ended_at: at, error: 'EENVELOPE' },
    ])
    .execute()
  const token = { token_hash: Buffer.alloc(32), user_id: userId, purpose: 'address', expires_at: at } as const
  await deps.db
    .insertInto('mail_tokens')
    .values({ ...token, address: `${MARK}@example.net` })
    .execute()
}

/** A decision of the person, powers over and of another account, a phone's second address, and a push that failed. */
export async function deskRows({ deps, clock }: Service, person: GivenUser, other: GivenUser): Promise<void> {
  const at = new Date(clock.now())
  const decided = {
    kind: 'report',
    record_id: 1,
    verdict: 'dismiss',
    status: 'waiting',
    decided_by: person.userId,
  } as const
  await deps.db
    .insertInto('desk_decisions')
    .values({
      ...decided,
      request: JSON.stringify({ note: MARK }),
      decided_at: at,
      due_at: new Date(clock.now() + 40 * 86_400_000),
    })
    .execute()
  const [one, two] = [person.userId, other.userId]
  await deps.db
    .insertInto('account_powers')
    .values([
      { actor_id: one, subject_id: two, used_at: at },
      { actor_id: two, subject_id: one, used_at: at },
    ])
    .execute()
  const browser = { role: 'admin', provider: 'web/swapbell', token: MARK, created_at: at, told_at: at } as const
  await deps.db
    .insertInto('staff_browsers')
    .values({ ...browser, user_id: one, session_id: null })
    .execute()
  const address = { fallback_token: `ExponentPushToken[${MARK} too]`, fallback_provider: 'expo' }
  await deps.db.updateTable('mobile_devices').set(address).where('user_id', '=', one).execute()
  await deps.db
    .insertInto('provider_platforms')
    .values({ provider: 'expo', platform: 'unknown', people: [one], paused_code: null })
    .execute()
}

export type Traded = { person: GivenUser; other: GivenUser; swapId: number; offered: number; requested: number }

/** What others decided about the person, and the person, who was a moderator once, about others. */
export async function decidedRows(
  { deps, given, clock }: Service,
  { person, other, swapId, offered, requested }: Traded,
): Promise<void> {
  const { db } = deps
  const at = new Date(clock.now())
  const stranger = await given.user()
  const foreign = await db
    .insertInto('swaps')
    .values({
      requester_id: other.userId,
      owner_id: stranger.userId,
      status: 'cancelled',
      expires_at: at,
      created_at: at,
      updated_at: at,
    })
    .returning('swap_id')
    .executeTakeFirstOrThrow()
  const dispute = { side: 'requester', opened_at: at, resolution: 'cancelled', note: MARK, resolved_at: at } as const
  await db
    .insertInto('swap_disputes')
    .values([
      { ...dispute, swap_id: swapId, reason: MARK, resolved_by: other.userId },
      { ...dispute, swap_id: foreign.swap_id, reason: 'It is broken.', resolved_by: person.userId },
    ])
    .execute()
  const verdict = { action: 'reject', revision: 1, user_message: MARK, internal_note: MARK, created_at: at } as const
  await db
    .insertInto('moderation_actions')
    .values([
      { ...verdict, product_id: offered, actor_id: other.userId, snapshot: JSON.stringify({ title: MARK }) },
      { ...verdict, product_id: requested, actor_id: person.userId, snapshot: '{}' },
    ])
    .execute()
}
