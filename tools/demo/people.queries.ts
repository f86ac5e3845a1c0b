import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import type { Dataset, Range } from './dataset.ts'
import { draw, hours, chooseMoment, pick, pickIndex, inWeek, spread } from './random.queries.ts'

/** Inserts the users of a range with their settings and phones, and the days on which they were active. */
export async function insertPeople(tx: Tx, dataset: Dataset, range: Range): Promise<void> {
  await createDrafts(tx)
  await draftPeople(tx, dataset, range)
  await draftDays(tx, dataset)
  await sql`analyze draft_people, draft_days`.execute(tx)
  await insertUsers(tx, dataset)
  await insertLeavings(tx, dataset)
  await insertSettings(tx)
  await insertDevices(tx, dataset)
  // The rows are in the order of the index, and have the distance to the day before.
  await sql`
    insert into user_activity_day (day, user_id, gap)
    select day, user_id, coalesce(day - lag(day) over (partition by user_id order by day), 9999)::smallint as gap
    from draft_days order by day, user_id`.execute(tx)
}

export async function countGaps(tx: Tx): Promise<void> {
  await sql`
    insert into activity_gap_day (day, gap, n)
    select day, gap, count(*) from user_activity_day group by day, gap order by day, gap`.execute(tx)
}

/** Makes the tables in which a range of people is drafted; they vanish with the transaction. */
async function createDrafts(tx: Tx): Promise<void> {
  await sql`drop table if exists draft_people, draft_days`.execute(tx)
  await sql`create temp table draft_people (
    user_id bigint, n bigint, created_at timestamptz, status text, left_at timestamptz, deleted_at timestamptz)
      on commit drop`.execute(tx)
  await sql`create temp table draft_days (user_id bigint, day date) on commit drop`.execute(tx)
}

/** People who left did so recently, because accounts deleted longer ago are purged. */
async function draftPeople(tx: Tx, { year, users, after, accounts }: Dataset, { first, last }: Range): Promise<void> {
  const n = sql`n`
  const now = sql`${year.now}::timestamptz`
  const tester = accounts === 'demo' ? sql`n <= 10` : sql`false`
  const fate = draw('fate', n)
  await sql`
    insert into draft_people
    select ${after.users}::bigint + n, n, created_at,
      case fate when 'suspended' then 'suspended' when 'banned' then 'banned' when 'inactive' then 'inactive'
        else 'active' end,
      left_at, case when fate = 'deleted' then left_at end
    from (
      select n, created_at, fate, date_trunc('second', case
        when fate in ('deleted', 'suspended') then ${now} - ${hours(sql`24 * (0.2 + 27 * ${draw('left', n)})`)}
        when fate in ('banned', 'inactive') then created_at + (${now} - created_at) * (0.2 + 0.75 * ${draw('left', n)})
          end) as left_at
      from (
        select n, created_at, case
          when ${tester} or created_at > ${now} - interval '30 days' then 'stays'
          when ${fate} < 0.025 then 'deleted' when ${fate} < 0.031 then 'suspended' when ${fate} < 0.037 then 'banned'
          when ${fate} < 0.077 then 'inactive' else 'stays' end as fate
        from (
          select n, ${chooseMoment(sql`(n - 1 + ${draw('joins', n)}) / ${users}::float8`, year)} as created_at
          from generate_series(${first}::bigint,
            ${last}::bigint) n offset 0) born offset 0) fated offset 0) leaving`.execute(tx)
}

/**
 * The first day, and others drawn over the time that somebody stays interested: some for good, most for some weeks, and
 * more at first than later.
 */
async function draftDays(tx: Tx, { year, furtherDays }: Dataset): Promise<void> {
  const n = sql`n`
  const key = sql`n * 4096 + i`
  const rest = sql`(extract(epoch from coalesce(left_at, ${year.now}::timestamptz) - created_at)::float8 / 86400)`
  const day = sql`floor(${inWeek(sql`(born + stays * power(${draw('day', key)}, 1.15))`)})::int`
  await sql`
    insert into draft_days
    select distinct user_id, date '1970-01-01' +
      case when i = 0 then floor(born)::int else least(greatest(${day}, floor(born)::int), floor(born + rest)::int) end
    from (
      select *, case when ${draw('stays', n)} < 0.45 then rest else least(rest, 2 + ${spread('interest', n, 50)}) end
        as stays
      from (
        select user_id, n, extract(epoch from created_at)::float8 / 86400 as born, ${rest} as rest
          from draft_people offset 0) people offset 0) staying
    cross join lateral generate_series(0,
      least(floor(${furtherDays}::float8 * power(-ln(1 - ${draw('eager', n)}), 1.4) * sqrt(stays / 60.0)),
        4000)::int) i`.execute(tx)
}

async function insertUsers(tx: Tx, { year, accounts, passwordHash, words }: Dataset): Promise<void> {
  const n = sql`n`
  const now = sql`${year.now}::timestamptz`
  const handle =
    accounts === 'demo'
      ? sql`'demo' || n`
      : sql`(${words.givenNames.map(plain)}::text[])[given] || '.' || (${words.familyNames.map(plain)}::text[])[family] || n`
  const role = sql`case when ${accounts === 'load'} and n % 20000 = 0 then
    (array['analyst', 'moderator', 'moderator', 'admin'])[1 + (n / 20000) % 4] else 'user' end`
  await sql`
    insert into users (user_id, username, email, name, password_hash, role, status, is_test_user, created_at,
      updated_at, deleted_at,
      phone, city, status_reason, suspended_until, email_verified_at, purge_after, last_active_day, last_active_at)
    select user_id, handle, handle || '@swapbell.example',
      (${words.givenNames}::text[])[given] || ' ' || (${words.familyNames}::text[])[family], ${passwordHash}, ${role},
        status,
      ${accounts === 'demo'} and n <= 10, created_at, coalesce(left_at, created_at), deleted_at,
      case when ${draw('has phone', n)} < 0.4
        then '+4915' || lpad(floor(${draw('phone number', n)} * 1e9)::bigint::text, 9, '0') end,
      case when ${draw('has city', n)} < 0.93 then ${pick('city', n, words.cities)} end,
      case when status in ('suspended', 'banned')
        then ${pick('why', n, ['scam', 'offensive', 'prohibited_item', 'unsafe'])} end,
      case when status = 'suspended' and ${draw('until', n)} < 0.7 then left_at + interval '30 days' end,
      case when ${draw('verified', n)} < 0.85 then least(created_at + ${hours(spread('verified after', n, 3))},
        coalesce(left_at, ${now})) end,
      deleted_at + interval '30 days', last_day,
      greatest(created_at, last_day::timestamptz +
        (least((last_day + 1)::timestamptz,
          coalesce(left_at, ${now})) - last_day::timestamptz) * ${draw('last seen', n)})
    from (
      select p.*, d.last_day, g.given, g.family, ${handle} as handle
      from draft_people p
      join (select user_id, max(day) as last_day from draft_days group by user_id) d using (user_id)
      cross join lateral (select ${pickIndex('given', n, words.givenNames.length)} as given,
        ${pickIndex('family', n, words.familyNames.length)} as family) g) people
    order by user_id`.execute(tx)
}

/** Inactive people were active until they left or were suspended. */
async function insertLeavings(tx: Tx, { staff }: Dataset): Promise<void> {
  const isForced = sql`u.status in ('suspended', 'banned')`
  await sql`
    insert into state_changes (entity, entity_id, user_id, from_state, to_state, actor, actor_id, note, at)
    select 'user', user_id, user_id, 'active', case when p.deleted_at is not null then 'deleted' else u.status end,
      case when ${isForced} then 'administrator' else 'user' end,
      case when ${isForced} then (${staff}::bigint[])[1] else user_id end, u.status_reason, left_at
    from draft_people p join users u using (user_id) where left_at is not null order by left_at, p.user_id`.execute(tx)
}

async function insertSettings(tx: Tx): Promise<void> {
  await sql`
    insert into user_settings (user_id, setting_name, setting_value, created_at, updated_at)
    select user_id, 'notification', case when ${draw('opted out', sql`n`)} < 0.08 then '0' else '1' end, created_at,
      created_at
    from draft_people order by user_id`.execute(tx)
}

// The share among the phones of a platform whose provider is there.
const DIRECT_SHARE = 0.35
// The share of these phones with Expo's address too. Until a roll-out begins, Expo reaches them.
const BOTH_SHARE = 0.3

/** Most have one phone, some two, some none. */
async function insertDevices(tx: Tx, { accounts, year, direct }: Dataset): Promise<void> {
  const n = sql`n`
  const key = sql`n * 2 + phone`
  await sql`
    insert into sessions (session_id, user_id, device, created_at, last_seen_at, expires_at, ends_at)
    select md5(${accounts}::text || '-' || user_id)::uuid, user_id, 'App on Android', p.created_at, u.last_active_at,
      ${year.now}::timestamptz + interval '90 days', ${year.now}::timestamptz + interval '90 days'
    from draft_people p join users u using (user_id) where u.status = 'active' and u.deleted_at is null`.execute(tx)
  const name = sql`${accounts}::text || '-' || user_id || '-' || phone`
  const ofExpo = sql`'ExponentPushToken[' || ${name} || ']'`
  const hasBoth = sql`provider <> 'expo' and ${draw('both addresses', key)} < ${BOTH_SHARE}`
  await sql`
    insert into mobile_devices (user_id, session_id, token, fallback_token, fallback_provider, device_id, platform,
      provider, last_registered_at, created_at, updated_at)
    select user_id, md5(${accounts}::text || '-' || user_id)::uuid,
      case provider when ${direct.ios ?? null} then encode(sha256((${name})::bytea), 'hex')
        when ${direct.android ?? null} then md5(${name}) || ':APA91b' || encode(sha512((${name})::bytea), 'hex')
        else ${ofExpo} end,
      case when ${hasBoth} then ${ofExpo} end, case when ${hasBoth} then 'expo' end,
      'phone-' || user_id || '-' || phone, platform, provider, seen, created_at, seen
    from (
      select *, case when ${draw('direct', key)} < ${DIRECT_SHARE} then
        case platform when 'ios' then coalesce(${direct.ios ?? null}, 'expo') else coalesce(${direct.android ?? null},
          'expo') end
        else 'expo' end as provider
      from (
        select people.*, phone, case when ${draw('platform', key)} < 0.45 then 'ios' else 'android' end as platform
        from (
          select p.*, greatest(p.created_at, least(coalesce(left_at, ${year.now}::timestamptz), u.last_active_at))
            as seen
          from draft_people p join users u using (user_id)) people
        cross join generate_series(1, 2) phone
        where phone = 1 and ${draw('phone', n)} < 0.88 or phone = 2 and ${draw('phone', n)} < 0.14) phones) reached
    order by user_id`.execute(tx)
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll(/[^a-z]/g, '')
}
