import { CompiledQuery } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import type { Db, DbPool, Tx } from '../../platform/db/connect.ts'
import { runPrepared } from '../../platform/db/prepared.ts'
import type { ActorKind, Store, SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Platform, UserStatus } from '../../platform/tables/tables.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'

type Unread = 'password_hash' | 'has_long_password' | 'last_active_day' | 'language' | 'time_zone' | 'search_text'

/** Holds no password hash. */
export type UserRow = Omit<Account, Unread> & {
  products: number
  transactions: number
  open_reports: number
  devices: number
}

const USER = `u.user_id, u.username, u.email, u.name, u.role, u.status, u.status_reason, u.suspended_until,
  u.is_test_user,
  u.phone, u.city, u.avatar_url, u.email_verified_at, u.pending_email, u.last_active_at, u.version, u.created_at,
    u.updated_at, u.deleted_at,
  u.purge_after,
  (select count(*) from products p where p.user_id = u.user_id and p.deleted_at is null) as products,
  (select count(*) from swaps s where s.requester_id = u.user_id)
    + (select count(*) from swaps s where s.owner_id = u.user_id) as transactions,
  (select count(*) from products p join product_reports r on r.product_id = p.product_id
    and r.status in ${wordsIn(UNDECIDED_REPORT)}
    where p.user_id = u.user_id) as open_reports,
  (select count(*) from ${listLivePhones('now()')}) as devices`

/** Counts phones that ring, as `isLive` of push has them, in the text of a prepared statement. */
function listLivePhones(now: string): string {
  return `mobile_devices d join sessions l on l.session_id = d.session_id
    where d.user_id = u.user_id and d.removed_at is null and l.revoked_at is null and l.expires_at > ${now}`
}

const USERS = `
  select ${USER}
  from unnest($1::bigint[]) with ordinality chosen(user_id, place) join users u on u.user_id = chosen.user_id
  order by chosen.place`

/** They are in the order of the ids, deleted users too. A user who is gone is absent. */
export async function listUsers(db: Db | Tx, ids: number[]): Promise<UserRow[]> {
  const { rows } = await db.executeQuery<UserRow>(CompiledQuery.raw(USERS, [int8Array(ids)]))
  return rows
}

export async function listPages(pool: DbPool, pages: number[][]): Promise<UserRow[][]> {
  const values = [int8Array([...new Set(pages.flat())])]
  const rows = await runPrepared<UserRow>(pool, { name: 'users by ids', text: USERS, values })
  const found = new Map(rows.map((row) => [row.user_id, row]))
  return pages.map((ids) => ids.flatMap((id) => found.get(id) ?? []))
}

export async function findEmail(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('email').where('user_id', '=', userId).executeTakeFirst()
  return row?.email
}

/** The times are as JSON has them. */
export type ProfileRow = UserRow & {
  sessions: {
    id: string
    device: string | null
    network: string | null
    created_at: string
    last_seen_at: string
    expires_at: string
  }[]
  seen: { id: number; platform: Platform; last_seen_at: string }[]
  subscription: {
    id: number
    plan: string
    status: SubscriptionStatus
    provider: Store
    started_at: string
    current_period_end: string
    cancelled_at: string | null
  } | null
  history: {
    from_state: UserStatus | 'deleted' | null
    to_state: UserStatus | 'deleted'
    actor: ActorKind
    actor_id: number | null
    note: string | null
    at: string
  }[]
}

/** The lists are newest first, at most 50 of each. */
export const PROFILE = `
  select ${USER},
    (select coalesce(json_agg(s), '[]') from (
      select session_id as id, device, network, created_at, coalesce(last_seen_at, created_at) as last_seen_at,
        expires_at
      from sessions
      where user_id = u.user_id and revoked_at is null and expires_at > $2 order by created_at desc limit 50) s)
        as sessions,
    (select coalesce(json_agg(d), '[]') from (
      select d.id, d.platform, d.last_registered_at as last_seen_at
      from ${listLivePhones('$2')}
      order by last_registered_at desc limit 50) d) as seen,
    (select to_json(s) from (
      select s.subscription_id as id, p.code as plan, s.status, s.provider, s.started_at, s.current_period_end,
        s.cancelled_at
      from subscriptions s join plans p on p.plan_id = s.plan_id
      where s.user_id = u.user_id order by s.status = 'expired', s.subscription_id desc limit 1) s) as subscription,
    (select coalesce(json_agg(h), '[]') from (
      select from_state, to_state, actor, actor_id, note, at from state_changes
      where entity = 'user' and entity_id = u.user_id order by state_change_id desc limit 50) h) as history
  from users u where u.user_id = any($1::bigint[])`

/** It is prepared, because planning it would take longer than running it. */
export async function findProfiles(pool: DbPool, ids: number[], now: Date): Promise<(ProfileRow | undefined)[]> {
  const statement = { name: 'profiles', text: PROFILE, values: [int8Array([...new Set(ids)]), now] }
  const rows = new Map((await runPrepared<ProfileRow>(pool, statement)).map((row) => [row.user_id, row]))
  return ids.map((id) => rows.get(id))
}
