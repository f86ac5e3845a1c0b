import { sql } from 'kysely'
import type { Deps } from '../../src/deps.ts'
import { toDate, dayAt } from '../../src/platform/shared/days.ts'

/** A number from 0 to below `below`, the next of its series. */
type Draw = (below: number) => number

const DAY_MS = 86_400_000

/**
 * People and what they did in the `days` days before now, as `seed` draws it: accounts that change and end, days of
 * activity with their histogram, products, swaps that come to something or nothing, chat messages. Nobody is active
 * before the account is made, nor after it is deleted.
 */
export async function insertHistory(
  { db, clock }: Deps,
  { seed, days }: { seed: number; days: number },
): Promise<void> {
  const draw = createDraw(seed)
  const now = clock.now()
  const at = (after = now - days * DAY_MS) => new Date(after + draw(Math.max(1, now - after)))
  const people = Array.from({ length: 30 }, () => ({ created: at(), status: draw(3) === 0 ? 'inactive' : 'active' }))
  const { rows } = await sql<{ user_id: number }>`
    insert into users (username, email, name, password_hash, created_at, status)
    select 'h' || ${seed} || '-' || n, 'h' || ${seed} || '-' || n || '@example.com', 'H', '', created, status
    from unnest(${people.map(({ created }) => created)}::timestamptz[], ${people.map(({ status }) => status)}::text[])
      with ordinality p(created, status, n)
    returning user_id`.execute(db)
  const ids = rows.map((row) => row.user_id)
  await insertActivity(
    db,
    people.map(({ created }, index) => ({ userId: ids[index]!, firstDay: dayAt(created) })),
    now,
    draw,
  )
  for (const [index, { created, status }] of people.entries())
    if (draw(2) === 0) await changeAccount(db, ids[index]!, status, at(created.getTime()), draw)
  await insertGoods(db, ids, at, draw, now)
}

/** A month and more of silence is as likely as a streak. Some are never active. */
async function insertActivity(
  db: Deps['db'],
  people: { userId: number; firstDay: number }[],
  now: number,
  draw: Draw,
): Promise<void> {
  const found = people.flatMap(({ userId, firstDay }) => {
    const own: { userId: number; day: string; gap: number }[] = []
    const today = dayAt(new Date(now))
    const start = draw(6) === 0 ? today + 1 : firstDay + draw(10)
    for (let day = start, gap = 9_999; day <= today; day += gap) {
      own.push({ userId, day: toDate(day), gap })
      gap = draw(4) === 0 ? 20 + draw(60) : 1 + draw(6)
    }
    return own
  })
  await sql`
    with days as (
      insert into user_activity_day (user_id, day, gap)
      select * from unnest(${found.map((f) => f.userId)}::bigint[], ${found.map((f) => f.day)}::date[], ${found.map((f) => f.gap)}::int[])
      returning day, gap)
    insert into activity_gap_day (day, gap, n) select day, gap, count(*) from days group by day, gap
    on conflict (day, gap) do update set n = activity_gap_day.n + excluded.n`.execute(db)
  await sql`
    update users u set last_active_day = a.day
    from (select user_id, max(day) as day from user_activity_day group by user_id) a
    where a.user_id = u.user_id and u.user_id = any(${people.map(({ userId }) => userId)})`.execute(db)
}

/** Takes back the days of activity of somebody after `at`. */
async function endActivity(db: Deps['db'], userId: number, at: Date): Promise<void> {
  await sql`
    with undone as (
      delete from user_activity_day where user_id = ${userId} and day > (${at}::timestamptz at time zone 'UTC')::date
      returning day, gap)
    update activity_gap_day g set n = n - 1 from undone where g.day = undone.day and g.gap = undone.gap`.execute(db)
  await sql`
    update users set last_active_day = (select max(day) from user_activity_day where user_id = ${userId})
    where user_id = ${userId}`.execute(db)
}

/** Administrators change the accounts, with their history; some are deleted, a part of them without history. */
async function changeAccount(db: Deps['db'], userId: number, from: string, at: Date, draw: Draw): Promise<void> {
  const to = ['active', 'inactive', 'suspended', 'deleted', 'gone'][draw(5)]!
  if (to === 'deleted' || to === 'gone') {
    // Now and then the last activity is stored after the deletion.
    const isLate = draw(3) === 0
    if (!isLate) await endActivity(db, userId, at)
    await db.updateTable('users').set({ deleted_at: at }).where('user_id', '=', userId).execute()
    if (isLate) await endActivity(db, userId, at)
  } else
    await db
      .updateTable('users')
      .set({ status: to as 'active' })
      .where('user_id', '=', userId)
      .execute()
  if (to === 'gone' || to === from) return
  const change = { entity: 'user' as const, entity_id: userId, user_id: userId, actor: 'system' as const }
  await db
    .insertInto('state_changes')
    .values({ ...change, from_state: from, to_state: to, actor_id: null, note: null, at })
    .execute()
}

async function insertGoods(db: Deps['db'], ids: number[], at: (after?: number) => Date, draw: Draw, now: number) {
  const { rows } = await sql<{ id: number }>`
    insert into categories (slug, name) values ('h' || ${Math.random()}::text, 'H') returning category_id as id`.execute(
    db,
  )
  const made = Array.from({ length: 60 }, () => at())
  await sql`
    insert into products (user_id, category_id, title, description, condition, submitted_at, created_at, updated_at)
    select ${ids[0]!}, ${rows[0]!.id}, 'H', '', 'good', at, at, at from unnest(${made}::timestamptz[]) at`.execute(db)
  const swaps = Array.from({ length: 120 }, () => {
    const created = at()
    const accepted = draw(3) > 0 ? at(created.getTime()) : null
    const completed = accepted && draw(2) === 0 ? new Date(Math.min(now, accepted.getTime() + draw(60 * DAY_MS))) : null
    return { created, accepted, completed }
  })
  await sql`
    with made as (
      insert into swaps (requester_id, owner_id, status, expires_at, accepted_at, completed_at, requester_confirmed_at,
        owner_confirmed_at, created_at, updated_at)
      select ${ids[0]!}, ${ids[1]!}, case when completed is not null then 'completed' when accepted is not null then 'accepted'
        else 'pending' end, created, accepted, completed, completed, completed, created, created
      from unnest(${swaps.map((s) => s.created)}::timestamptz[], ${swaps.map((s) => s.accepted)}::timestamptz[],
        ${swaps.map((s) => s.completed)}::timestamptz[]) s(created, accepted, completed)
      returning swap_id, created_at)
    insert into swap_messages (swap_id, sender_id, body, created_at)
    select swap_id, ${ids[0]!}, 'H', created_at + interval '7 minutes' from made where swap_id % 2 = 0
      and created_at < ${new Date(now - DAY_MS)}::timestamptz`.execute(db)
}

function createDraw(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
