import { sql, type RawBuilder } from 'kysely'
import { isOpenSession } from '../../identity/sessions/sessions.queries.ts'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Runner } from '../../platform/db/connect.ts'
import { setPlans } from '../../platform/db/planner.ts'
import { must } from '../../platform/shared/must.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { isReachedNatively } from '../devices/addresses.queries.ts'
import { PHONES_A_PERSON } from '../devices/devices.queries.ts'

type Address = { provider: string; token: string }
/** A phone with the address by which it is reached now, and its other one, if it has two. */
export type Phone = Address & { deviceId: number; platform: Platform; isProven: boolean; other?: Address }

/** Somebody who may get a push. `barred`: whom no message reaches. `phones`: those that a live session registered. */
export type Person = {
  barred: 'deleted' | 'inactive' | null
  isOptedIn: boolean
  /** A phone is registered, though its session may be over. */
  hasPhone: boolean
  phones: Phone[]
}

// Up to this many ids for each person, reading their range is faster than reading them one by one.
const DENSE = 4

type Row = {
  user_id: number
  barred: Person['barred']
  opted_in: boolean
  has_phone: boolean
  device_id: number | null
  provider: string
  platform: Platform
  token: string
  is_proven: boolean
  fallback_token: string | null
  fallback_provider: string
  is_native: boolean
}

/**
 * Gives people by their id (spec: sending rules 2 and 3). A person who is not there counts as deleted. It suits
 * transactions whose plans are `by index`. It throws for an id for which the database gave no row.
 */
export async function findPeople(
  tx: Runner,
  userIds: readonly number[],
  now: Date,
): Promise<(userId: number) => Person> {
  const ids = [...new Set(userIds)].toSorted((a, b) => a - b)
  const people = new Map<number, Person>()
  const find = (userId: number) => must(people.get(userId), 'person who was asked for')
  if (ids.length === 0) return find
  const [lowest, highest] = [must(ids[0], 'first of some people'), must(ids.at(-1), 'last of some people')]
  const range = highest - lowest < ids.length * DENSE ? { lowest, highest } : undefined
  const [, { rows }] = await Promise.all([
    range && setPlans(tx, 'by range'),
    selectRows(ids, range, now).execute(tx),
    range && setPlans(tx, 'by index'),
  ])
  for (const row of rows) {
    const known = people.get(row.user_id)
    const person = known ?? { barred: row.barred, isOptedIn: row.opted_in, hasPhone: row.has_phone, phones: [] }
    if (known === undefined) people.set(row.user_id, person)
    if (row.device_id !== null) person.phones.push(toPhone(row, row.device_id))
    // Several that register or come back at once may be more. The latest stay.
    if (person.phones.length > PHONES_A_PERSON) person.phones.shift()
  }
  return find
}

function toPhone(row: Row, deviceId: number): Phone {
  const { provider, platform, token, is_proven: isProven, fallback_token, fallback_provider } = row
  const phone = { deviceId, provider, platform, token, isProven }
  if (fallback_token === null) return phone
  const both = { ...phone, other: { provider: fallback_provider, token: fallback_token } }
  return row.is_native ? both : byOtherWay(both, both.other)
}

/** The same phone, reached by its address of this provider; undefined: it has none. */
export function reachedBy(phone: Phone, provider: string): Phone | undefined {
  if (phone.provider === provider) return phone
  return phone.other?.provider === provider ? byOtherWay(phone, phone.other) : undefined
}

function byOtherWay(phone: Phone, other: Address): Phone {
  return { ...phone, ...other, other: { provider: phone.provider, token: phone.token } }
}

/** Two texts, because a prepared statement keeps its plan, and one for ranges would read all users between the ids. */
function selectRows(ids: number[], range: { lowest: number; highest: number } | undefined, now: Date): RawBuilder<Row> {
  const isNear = (column: string) =>
    range === undefined ? sql`true` : sql`${sql.ref(column)} between ${range.lowest} and ${range.highest}`
  return sql<Row>`
    select r.user_id,
      case when u.user_id is null or u.deleted_at is not null then 'deleted' when u.status <> 'active' then 'inactive'
        end
        as barred,
      s.setting_value is not distinct from '1' as opted_in,
      d.id is not null or exists (
        select from mobile_devices o where o.user_id = r.user_id and o.removed_at is null) as has_phone,
      d.id as device_id, d.provider, d.platform, d.token, d.is_proven, d.fallback_token, d.fallback_provider,
      case when d.fallback_token is not null then ${isReachedNatively()} end as is_native
    from unnest(${int8Array(ids)}::bigint[]) r(user_id)
    left join users u on u.user_id = r.user_id and ${isNear('u.user_id')}
    left join user_settings s on s.user_id = r.user_id and s.setting_name = 'notification' and s.deleted_at is null
      and ${isNear('s.user_id')}
    left join (mobile_devices d join sessions l on l.session_id = d.session_id)
      on d.user_id = r.user_id and d.removed_at is null and ${isNear('d.user_id')} and l.user_id = d.user_id
      and ${isNear('l.user_id')} and ${isOpenSession('l', now)}
    order by r.user_id, d.id`
}
