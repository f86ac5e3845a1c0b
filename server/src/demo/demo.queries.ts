import { sql } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'

/** True when no account but administrators exists. */
export async function isEmptyOfUsers(db: Db | Tx): Promise<boolean> {
  const found = await db.selectFrom('users').select('user_id').where('role', '=', 'user').limit(1).execute()
  return found.length === 0
}

// A number from 0 to 99 that is always the same for the same person and purpose.
function draw(purpose: string, id: ReturnType<typeof sql>) {
  return sql`(abs(hashtext(${purpose} || ${id}::text)) % 100)`
}

/** People with settings and phones: some opted out, some inactive, some with two phones, some with none. */
export async function insertDemoPeople(
  tx: Tx,
  demo: { people: number; passwordHash: string; now: Date },
): Promise<void> {
  const n = sql`n`
  await sql`
    with names as (
      select array['Ada','Ben','Chloé','Dmitri','Elif','Femi','Grace','Hugo','Ines','Jonas','Kaya','Liam','Mina','Noor','Omar',
        'Pia','Quentin','Rosa','Sven','Tara','Uma','Viktor','Wanda','Xenia','Yusuf','Zoë'] as given,
        array['Abara','Berg','Costa','Duval','Eriksen','Fischer','García','Haddad','Ivanova','Jensen','Kowalski','Lindqvist',
        'Moreau','Nakamura','Okafor','Petrov','Quinn','Rossi','Silva','Tanaka','Ueda','Vargas','Weber','Young','Zhang'] as family)
    insert into users (username, email, name, password_hash, status, is_test_user, created_at, updated_at)
    select 'demo' || n, 'demo' || n || '@swapbell.example',
      given[1 + n % array_length(given, 1)] || ' ' || family[1 + (n * 7) % array_length(family, 1)],
      ${demo.passwordHash},
      case when ${draw('status', n)} < 4 then 'inactive' when ${draw('status', n)} < 5 then 'suspended' else 'active' end,
      n <= 10,
      ${demo.now}::timestamptz - make_interval(hours => (${demo.people} - n) * 20), ${demo.now}
    from names, generate_series(1, ${demo.people}::int) n`.execute(tx)
  const id = sql`user_id`
  await sql`
    insert into user_settings (user_id, setting_name, setting_value)
    select user_id, 'notification', case when ${draw('setting', id)} < 8 then '0' else '1' end
    from users where username like 'demo%'`.execute(tx)
  await sql`
    insert into mobile_devices (user_id, token, device_id, platform, last_registered_at)
    select user_id, 'ExponentPushToken[demo-' || user_id || '-' || phone || ']', 'phone-' || user_id || '-' || phone,
      case when ${draw('platform', id)} < 45 then 'ios' else 'android' end,
      ${demo.now}::timestamptz - make_interval(hours => ${draw('seen', id)})
    from users, generate_series(1, 2) phone
    where username like 'demo%' and (phone = 1 and ${draw('phone', id)} < 88 or phone = 2 and ${draw('phone', id)} < 14)`.execute(
    tx,
  )
}

/** A completed campaign to the people of then: copies, tickets, receipts and opens as they usually come out. */
export async function insertDemoCampaign(
  tx: Tx,
  campaign: { title: string; body: string; sentAt: Date; open: number },
): Promise<void> {
  const d = sql`d.id`
  const purpose = (name: string) => draw(`${campaign.title} ${name}`, d)
  await sql`
    with message as (
      insert into messages (type, audience, lane, needs_opt_in, title, body, data, sender_id, status, last_user_id, cursor_user_id,
        coordinated_at, created_at, started_at, completed_at, expires_at, updated_at)
      select 'promotional', 'all', 'campaign', true, ${campaign.title}, ${campaign.body}, '{"link":"swapbell://home"}',
        min(user_id) filter (where role = 'super_admin'), 'completed', max(user_id), max(user_id), ${campaign.sentAt}::timestamptz,
        ${campaign.sentAt}, ${campaign.sentAt}, ${campaign.sentAt}::timestamptz + interval '4 seconds',
        ${campaign.sentAt}::timestamptz + interval '1 day', ${campaign.sentAt}
      from users returning message_id),
    reached as (
      select u.user_id, (row_number() over (order by u.user_id) - 1) / 50 as part from users u
      join user_settings s on s.user_id = u.user_id and s.setting_value = '1' where u.status = 'active'),
    parts as (
      insert into batches (message_id, user_ids, status, attempts, claim, due_at, created_at, updated_at)
      select message_id, array_agg(user_id order by user_id), 'done', 1, 0, ${campaign.sentAt}::timestamptz, ${campaign.sentAt}, ${campaign.sentAt}
      from reached, message group by message_id, part returning batch_id, message_id, user_ids)
    insert into notifications (message_id, batch_id, user_id, mobile_devices_id, attempts, is_send, is_delivered, is_open, ticket_id,
      error_message, created_at, updated_at, sent_at, settled_at, opened_at)
    select p.message_id, p.batch_id, d.user_id, d.id, 1, true, ${purpose('receipt')} < 97,
      ${purpose('receipt')} < 97 and ${purpose('open')} < ${campaign.open},
      md5(${campaign.title} || d.id)::uuid::text,
      case when ${purpose('receipt')} < 97 then null when ${purpose('receipt')} < 99 then 'DeviceNotRegistered' else 'ProviderError' end,
      ${campaign.sentAt}, ${campaign.sentAt}, ${campaign.sentAt}::timestamptz + interval '1 second',
      ${campaign.sentAt}::timestamptz + interval '15 minutes',
      case when ${purpose('receipt')} < 97 and ${purpose('open')} < ${campaign.open}
        then ${campaign.sentAt}::timestamptz + make_interval(mins => ${purpose('when')} * 3) end
    from parts p cross join lateral unnest(p.user_ids) r(user_id) join mobile_devices d on d.user_id = r.user_id`.execute(
    tx,
  )
}

/** Counts past campaigns from their rows. */
export async function countDemoCampaigns(tx: Tx): Promise<void> {
  await sql`
    insert into message_counts (message_id, slot, selected, skipped_inactive, skipped_opted_out, skipped_no_device,
      notifications, sent, delivered, opened, failed)
    select m.message_id, 0, people.selected, people.inactive, people.opted_out, people.no_device,
      n.notifications, n.sent, n.delivered, n.opened, n.failed
    from messages m
    cross join lateral (
      select count(*) as notifications, count(*) filter (where is_send) as sent, count(*) filter (where is_delivered) as delivered,
        count(*) filter (where is_open) as opened, count(*) filter (where not is_delivered) as failed
      from notifications where message_id = m.message_id) n
    cross join (
      select count(*) as selected, count(*) filter (where u.status <> 'active') as inactive,
        count(*) filter (where u.status = 'active' and s.setting_value is distinct from '1') as opted_out,
        count(*) filter (where u.status = 'active' and s.setting_value = '1'
          and not exists (select 1 from mobile_devices d where d.user_id = u.user_id)) as no_device
      from users u left join user_settings s on s.user_id = u.user_id and s.setting_name = 'notification') people`.execute(
    tx,
  )
}
