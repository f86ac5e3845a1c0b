import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import type { UserRange } from './audience.queries.ts'
import type { MadeFrom } from './copies.ts'

/** `provider` undefined: any. */
export type Packing = { provider: string | undefined; perRequest: number }

/** For a `with`: users of batches by device, or with a skip (spec: sending rules 2 and 3); copies; other providers. */
export function recipientsAndCopies(
  batchIds: number[],
  users: UserRange,
  { provider, perRequest, now }: Packing & { now: Date },
) {
  const isNear = (column: string) => sql`${sql.ref(column)} between ${users.lowest} and ${users.highest}`
  const isOurs = provider === undefined ? sql`true` : sql`provider = ${provider}`
  return sql`
    recipients as materialized (
      select m.message_id, m.batch_id, m.message_at, m.is_restored, r.user_id, d.id as device_id, d.token,
        d.platform, d.provider, coalesce(${notEligible()}, case when d.id is null then ${whyNoPhone()} end) as skip
      from (
        select batch_id, message_id, user_ids,
          (select needs_opt_in from messages where message_id = batches.message_id) as needs_opt_in,
          (select created_at from messages where message_id = batches.message_id) as message_at,
          (select restored_at is not null from messages where message_id = batches.message_id) as is_restored
        from batches where batch_id = any(${int8Array(batchIds)}) order by batch_id offset 0) m
      cross join lateral unnest(m.user_ids) r(user_id)
      left join users u on u.user_id = r.user_id and ${isNear('u.user_id')}
      left join user_settings s on s.user_id = r.user_id and s.setting_name = 'notification' and s.deleted_at is null
        and ${isNear('s.user_id')}
      left join (mobile_devices d join sessions l on l.session_id = d.session_id)
        on d.user_id = r.user_id and d.removed_at is null and ${isNear('d.user_id')} and l.user_id = d.user_id
        and ${isNear('l.user_id')} and l.revoked_at is null and l.expires_at > ${now}::timestamptz),
    requests as materialized (
      select array_agg(nextval('submission_ids')) as ids
      from generate_series(1, (
        select ceil(count(*) / ${perRequest}::numeric)::int from recipients where skip is null and ${isOurs}))),
    copies as materialized (
      select *, nextval('notification_ids') as notification_id,
        (select ids from requests)[1 + (row_number() over () - 1) / ${perRequest}::int] as submission_id
      from recipients where skip is null and ${isOurs}),
    elsewhere as (select batch_id, user_id, device_id, provider from recipients where skip is null and not ${isOurs})`
}

/** As the rows of `NewCopies`. */
export function copiesAsColumns() {
  return sql`
    select submission_id, null as skip, null::text[] as providers, array_agg(batch_id) as batch_ids,
      array_agg(user_id) as user_ids, array_agg(device_id) as device_ids,
      array_agg(notification_id) as notification_ids, json_agg(token) as tokens,
      json_agg(platform) as platforms
    from copies group by submission_id
    union all
    select null, null, array_agg(provider), array_agg(batch_id), array_agg(user_id), array_agg(device_id),
      null, null, null
    from elsewhere having count(*) > 0
    union all
    select null, skip, null, array_agg(batch_id), array_agg(user_id), null, null, null, null
    from (select distinct batch_id, user_id, skip from recipients where skip is not null) skipped group by skip`
}

/** Of a user (`u`), a message (`m`) and a preference (`s`); null: may be notified. */
export function notEligible() {
  return sql<SkipReason | null>`case
    when u.user_id is null or u.deleted_at is not null then 'deleted'
    when u.status <> 'active' then 'inactive'
    when m.needs_opt_in and s.setting_value is distinct from '1' then 'opted_out' end`
}

// Neither ticket nor end. Without the CASE the planner reads the whole table (200 instead of 6 ms for 800 rows).
export function isOpen() {
  return sql`case when n.ticket_id is null and n.settled_at is null then true else false end`
}

/** Copies (`n`) of the month of `made` or later (ADR 051); with an upper bound the planner reads the whole table. */
export function isOfPartition(made: MadeFrom) {
  if (made === undefined) return sql`true`
  const month = new Date(Date.UTC(made.getUTCFullYear(), made.getUTCMonth(), 1))
  return sql`n.message_at >= ${month}::timestamptz`
}

/** Once a request may have arrived, any other code would be wrong (decision B5). */
export function endCode(code: RawBuilder<unknown>) {
  return sql`case when n.error_message = 'OutcomeUnknown' or n.possible_duplicates > 0 then 'OutcomeUnknown'
    else ${code} end`
}

/** Of an outcome `r`; `delivered`: what was accepted is delivered too. */
export function outcomeColumns(delivered: boolean, now: Date) {
  return sql`is_send = r.ticket_id is not null, ticket_id = r.ticket_id,
    is_delivered = case when r.ticket_id is null then false when ${delivered}::boolean then true end,
    sent_at = case when r.ticket_id is not null then ${now}::timestamptz end,
    error_message = case when r.final and r.ticket_id is null and n.possible_duplicates > 0 then 'OutcomeUnknown'
      else r.code end,
    settled_at = case when case when r.ticket_id is null then r.final else ${delivered}::boolean end
      then ${now}::timestamptz end,
    attempts = greatest(n.attempts - r.unsent::int, 0), updated_at = ${now}`
}

/** Of a device (`d`): nobody released it, and the session that registered it lives, whoever may end that (B27). */
export function isLive(now: Date) {
  return sql`(d.removed_at is null and exists (
    select from sessions l
    where l.session_id = d.session_id and l.revoked_at is null and l.expires_at > ${now}::timestamptz))`
}

/** Why a user (`r`) without a live device gets nothing. */
function whyNoPhone() {
  return sql`case when exists (select from mobile_devices o where o.user_id = r.user_id and o.removed_at is null)
    then 'signed_out' else 'no_device' end`
}
