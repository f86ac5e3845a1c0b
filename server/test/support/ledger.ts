import { sql } from 'kysely'
import type { Service } from './service.ts'

/** What a message comes to when the database is held against the simulator's log of what it accepted. */
export type Ledger = {
  /** Notifications that should have ended by now. */
  expected: number
  /** Messages that the provider accepted, doubles included. */
  accepted: number
  /** Notifications without ticket or end. */
  lost: number
  /** Accepted more than once. */
  duplicated: number
  /** Accepted, with no notification of this message. */
  unexpected: number
  /** `is_send` without an accepted ticket of that id. */
  phantom: number
  /** Ended unsent although accepted, and not called unknown. */
  untruthful: number
  /** What the message's own counter says of duplicates. */
  possibleDuplicates: number
}

export async function readLedger({ deps, simulator }: Service, messageId: number): Promise<Ledger> {
  const rows = await deps.db.selectFrom('notifications').selectAll().where('message_id', '=', messageId).execute()
  const ids = new Set(rows.map((row) => row.notification_id))
  const all = simulator.log()
  const accepted = all.filter((entry) => ids.has(Number(entry.notification_id)))
  const tickets = Map.groupBy(accepted, (entry) => Number(entry.notification_id))
  const hasTicket = (id: number, ticket: string | null) =>
    tickets.get(id)?.some((entry) => entry.ticket === null || entry.ticket === ticket) ?? false
  const known = await deps.db.selectFrom('notifications').select('notification_id').execute()
  const knownIds = new Set(known.map((row) => row.notification_id))
  const { possible_duplicates } = await storedCounts({ deps }, messageId)
  return {
    expected: rows.length,
    accepted: accepted.length,
    lost: rows.filter((row) => row.ticket_id === null && row.settled_at === null).length,
    duplicated: accepted.length - tickets.size,
    unexpected: all.filter((entry) => !knownIds.has(Number(entry.notification_id))).length,
    phantom: rows.filter((row) => row.is_send && !hasTicket(row.notification_id, row.ticket_id)).length,
    untruthful: rows.filter(
      (row) =>
        !row.is_send &&
        row.settled_at !== null &&
        row.error_message !== 'OutcomeUnknown' &&
        tickets.has(row.notification_id),
    ).length,
    possibleDuplicates: possible_duplicates,
  }
}

type Counts = Record<
  | 'selected'
  | 'skipped'
  | 'notified'
  | 'notifications'
  | 'sent'
  | 'delivered'
  | 'opened'
  | 'failed'
  | 'possible_duplicates',
  number
>

/** The counters of a message, as it stores them. */
export async function storedCounts({ deps }: Pick<Service, 'deps'>, messageId: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select coalesce(sum(selected), 0)::bigint as selected,
      coalesce(sum(skipped_no_device + skipped_signed_out + skipped_opted_out + skipped_inactive + skipped_deleted + skipped_too_big + skipped_stopped + skipped_stale + skipped_inbox_only), 0)::bigint as skipped,
      coalesce(sum(notified), 0)::bigint as notified, coalesce(sum(notifications), 0)::bigint as notifications, coalesce(sum(sent), 0)::bigint as sent,
      coalesce(sum(delivered), 0)::bigint as delivered, coalesce(sum(opened), 0)::bigint as opened,
      coalesce(sum(failed), 0)::bigint as failed, coalesce(sum(possible_duplicates), 0)::bigint as possible_duplicates
    from message_counts where message_id = ${messageId}`.execute(deps.db)
  return rows[0] as Counts
}

/** The same by provider, as they are stored and as the copies say; a message to one person stores none. */
export async function readProviderCounts({ deps }: Pick<Service, 'deps'>, messageId: number) {
  const { rows: stored } = await sql`
    select provider, sum(accepted)::int as accepted, sum(delivered)::int as delivered, sum(failed)::int as failed,
      sum(gone)::int as gone, sum(opened)::int as opened
    from provider_counts where message_id = ${messageId} group by provider
    having sum(accepted + failed + opened) > 0 order by provider`.execute(deps.db)
  const { rows: counted } = await sql`
    select provider, count(*) filter (where is_send)::int as accepted, count(*) filter (where is_delivered)::int as delivered,
      count(*) filter (where is_delivered is not true and settled_at is not null)::int as failed,
      count(*) filter (where is_delivered is not true and settled_at is not null and error_message = 'DeviceNotRegistered')::int as gone,
      count(*) filter (where is_open)::int as opened
    from notifications join messages using (message_id) where message_id = ${messageId} and recipient_id is null
    group by provider having count(*) filter (where is_send or settled_at is not null or is_open) > 0
    order by provider`.execute(deps.db)
  return { stored, counted }
}

/**
 * Skips as the counters have them and as there are rows, by reason; a bulk send has no rows for those it was stopped
 * before.
 */
export async function readSkips({ deps }: Pick<Service, 'deps'>, messageId: number) {
  const reasons = ['no_device', 'opted_out', 'inactive', 'deleted', 'too_big', 'stopped', 'stale'] as const
  const sums = reasons.map(
    (reason) => sql`coalesce(sum(${sql.ref(`skipped_${reason}`)}), 0)::bigint as ${sql.ref(reason)}`,
  )
  const { rows: counted } = await sql<Record<string, number>>`
    select ${sql.join(sums)} from message_counts where message_id = ${messageId}`.execute(deps.db)
  const { rows: stored } = await sql<{ reason: string; n: number }>`
    select reason, count(distinct user_id) as n from skips cross join unnest(user_ids) user_id where message_id = ${messageId} group by reason`.execute(
    deps.db,
  )
  const { audience, status } = await deps.db
    .selectFrom('messages')
    .select(['audience', 'status'])
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  const kept = reasons.filter((reason) => reason !== 'stopped' || audience === 'users' || status !== 'stopped')
  const rows = Object.fromEntries(stored.map(({ reason, n }) => [reason, n]))
  return {
    counted: Object.fromEntries(kept.map((reason) => [reason, counted[0]?.[reason] ?? 0])),
    stored: Object.fromEntries(kept.map((reason) => [reason, rows[reason] ?? 0])),
  }
}

/** The same counters, counted from the rows. `skipped`: the users selected who have no notification. */
export async function countedRows({ deps }: Pick<Service, 'deps'>, messageId: number): Promise<Counts> {
  const { selected } = await storedCounts({ deps }, messageId)
  const { rows } = await sql<Counts & { users: number }>`
    select count(distinct user_id) as users, count(*) as notifications, count(*) filter (where is_send) as sent,
      count(*) filter (where is_delivered) as delivered, count(*) filter (where is_open) as opened,
      count(*) filter (where settled_at is not null and is_delivered is not true) as failed,
      coalesce(sum(possible_duplicates), 0)::bigint as possible_duplicates
    from notifications where message_id = ${messageId}`.execute(deps.db)
  const { users, ...counts } = rows[0] as Counts & { users: number }
  return { ...counts, selected, skipped: selected - users, notified: users }
}

/** Homes whose counts of `@message` differ from their rows. */
export const DIFFERING_HOMES = `
  select * from (
    select home, sum(notified) as notified, sum(notifications) as notifications, sum(sent) as sent,
      sum(delivered) as delivered, sum(opened) as opened, sum(failed) as failed
    from message_counts where message_id = @message group by home) stored
  full join (
    select home, count(distinct user_id) as notified, count(*) as notifications,
      count(*) filter (where is_send) as sent, count(*) filter (where is_delivered) as delivered,
      count(*) filter (where is_open) as opened,
      count(*) filter (where settled_at is not null and is_delivered is not true) as failed
    from notifications where message_id = @message group by home) counted using (home)
  where (stored.notified, stored.notifications, stored.sent, stored.delivered, stored.opened, stored.failed)
    is distinct from (coalesce(counted.notified, 0), coalesce(counted.notifications, 0), coalesce(counted.sent, 0),
      coalesce(counted.delivered, 0), coalesce(counted.opened, 0), coalesce(counted.failed, 0))`

/** Homes in which the counters are not what the rows say. */
export async function findDifferingHomes({ deps }: Pick<Service, 'deps'>, messageId: number) {
  const { rows } = await sql.raw(DIFFERING_HOMES.replaceAll('@message', String(messageId))).execute(deps.db)
  return rows
}
