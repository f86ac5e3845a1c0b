import { sql } from 'kysely'
import { homeSql } from '../../server/src/push/records/home.queries.ts'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import { insertPastCopies, type PastCopy } from './past-copies.ts'
import { draw, hours, spread } from './random.queries.ts'

export type PastCampaign = { title: string; body: string; sentAt: Date; senderId: number; open: number; now: Date }

/**
 * A completed campaign to the people of then: counts, copies, tickets, receipts and opens as they usually come out.
 * `open` is the share of delivered copies that people tapped, in percent. Devices that were gone are removed, as the
 * service does.
 */
export async function insertCampaign(tx: Tx, campaign: PastCampaign): Promise<void> {
  const messageId = await insertMessage(tx, campaign)
  await insertCopies(tx, campaign, messageId)
  await insertSkips(tx, campaign, messageId)
  await insertCounts(tx, campaign, messageId)
  await sql`
    update mobile_devices d set removed_at = n.settled_at, removed_reason = 'DeviceNotRegistered',
      updated_at = n.settled_at
    from notifications n
    where n.mobile_devices_id = d.id
      and n.message_id = ${messageId} and n.error_message = 'DeviceNotRegistered'`.execute(tx)
}

async function insertMessage(tx: Tx, { title, body, sentAt, senderId }: PastCampaign): Promise<number> {
  const { rows } = await sql<{ message_id: number }>`
    insert into messages (origin, type, audience, lane, needs_opt_in, title, body, data, sender_id, status,
      last_user_id, cursor_user_id,
      coordinated_at, created_at, started_at, completed_at, expires_at, updated_at)
    select 'bulk', 'promotional', 'all', 'campaign', true, ${title}, ${body}, '{"link":"swapbell://home"}', ${senderId},
      'completed',
      max(user_id), max(user_id), at, at, at, at + make_interval(secs => 2 + count(*) / 400), at + interval '1 day', at
    from users, (select ${sentAt}::timestamptz as at) sent where created_at <= at group by at
    returning message_id`.execute(tx)
  return rows[0]!.message_id
}

/** The audience at the moment of the send, and why some got nothing (spec: sending rules 2, 3 and 5). */
function selectPeople({ sentAt }: PastCampaign) {
  return sql`
    select u.user_id, u.status <> 'active' and u.updated_at <= ${sentAt} as inactive,
      s.setting_value is not distinct from '1' as opted_in,
      exists (select from mobile_devices d where d.user_id = u.user_id and d.created_at <= ${sentAt}
        and (d.removed_at is null or d.removed_at > ${sentAt})) as has_device
    from users u left join user_settings s on s.user_id = u.user_id and s.setting_name = 'notification'
    where u.created_at <= ${sentAt} and (u.deleted_at is null or u.deleted_at > ${sentAt})`
}

/** Its batches with their copies, the inboxes, and what people opened. */
async function insertCopies(tx: Tx, campaign: PastCampaign, messageId: number): Promise<void> {
  const { sentAt, open, now } = campaign
  const at = sql`${sentAt}::timestamptz`
  const key = sql`d.id * 100000 + ${messageId}::bigint / 1024`
  const receipt = draw('receipt', key)
  const { rows: people } = await sql<{ user_id: number }>`
    select user_id from (${selectPeople(campaign)}) people where not inactive and opted_in order by user_id`.execute(tx)
  const userIds = people.map(({ user_id }) => user_id)
  const { rows: copies } = await sql<PastCopy>`
    select *, case when error is null and opens and "settledAt" + opens_after < ${now} then "settledAt" + opens_after
      end as "openedAt"
    from (
      select d.user_id as "userId", d.id as "deviceId", d.platform,
        md5(${messageId}::text || '-' || d.id)::uuid::text as ticket,
        ${at} + interval '1 second' * floor(1 + ${draw('sent', key)} * 3) as "sentAt",
          ${at} + interval '15 minutes' as "settledAt",
        case when ${receipt} < 0.97 then null when ${receipt} < 0.985 then 'DeviceNotRegistered' else 'ProviderError'
          end as error,
        ${draw('open', key)} * 100 < ${open}::float8 as opens, ${hours(spread('opens after', key, 4))} as opens_after
      from mobile_devices d
      where d.user_id = any(${userIds}::bigint[]) and d.created_at <= ${at} and (d.removed_at is null
        or d.removed_at > ${at})) copies`.execute(tx)
  await insertPastCopies(tx, { messageId, userIds, madeAt: sentAt, isBulk: true }, copies)
}

async function insertSkips(tx: Tx, campaign: PastCampaign, messageId: number): Promise<void> {
  await sql`
    insert into skips (home, block, message_id, reason, user_ids, created_at)
    select ${homeSql(tx, '(user_id / 64 * 64)')}, user_id / 64, ${messageId}::bigint, reason,
      array_agg(user_id order by user_id), ${campaign.sentAt}::timestamptz
    from (
      select user_id, case when inactive then 'inactive' when not opted_in then 'opted_out' when not has_device
        then 'no_device' end as reason
      from (${selectPeople(campaign)}) p) skipped
    where reason is not null group by user_id / 64, reason`.execute(tx)
}

/** Pushes by the quarter of an hour in which they were accepted, delivered or opened (ADR 7). */
export async function countPushes(tx: Tx): Promise<void> {
  await sql`
    insert into push_counts (bucket, slot, sent, delivered, opened)
    select date_bin('15 minutes', e.at, timestamptz 'epoch'), 0, sum(e.sent), sum(e.delivered), sum(e.opened)
    from notifications n cross join lateral (values
      (n.sent_at, 1, 0, 0), (case when n.is_delivered then n.settled_at end, 0, 1, 0), (n.opened_at, 0, 0, 1)) e(at,
        sent, delivered, opened)
    where e.at is not null group by 1`.execute(tx)
}

async function insertCounts(tx: Tx, campaign: PastCampaign, messageId: number): Promise<void> {
  await sql`
    insert into message_counts (message_id, slot, selected, skipped_inactive, skipped_opted_out, skipped_no_device,
      notified, notifications, sent, delivered, opened, failed)
    select ${messageId}, 0, people.*, copies.*
    from (
      select count(*), count(*) filter (where inactive), count(*) filter (where not inactive and not opted_in),
        count(*) filter (where not inactive and opted_in and not has_device)
      from (${selectPeople(campaign)}) p) people,
      (select count(distinct user_id), count(*), count(*) filter (where is_send), count(*) filter (where is_delivered),
        count(*) filter (where is_open),
        count(*) filter (where not is_delivered)
      from notifications where message_id = ${messageId}) copies`.execute(tx)
  await sql`
    insert into provider_counts (message_id, slot, provider, accepted, delivered, failed, gone, opened)
    select ${messageId}, 0, provider, count(*) filter (where is_send), count(*) filter (where is_delivered),
      count(*) filter (where not is_delivered),
      count(*) filter (where not is_delivered and error_message = 'DeviceNotRegistered'),
        count(*) filter (where is_open)
    from notifications where message_id = ${messageId} group by provider`.execute(tx)
}
