import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import { analyze } from './bulk.queries.ts'
import type { Dataset } from './dataset.ts'
import { draw, hours, spread } from './random.queries.ts'

/** Groups that early members made; a join policy goes with each. */
const GROUPS: readonly [name: string, description: string, joinPolicy: 'open' | 'request' | 'invite'][] = [
  ['Parents of Prenzlauer Berg', 'What our children have grown out of.', 'request'],
  ['Utrecht bike kitchen', 'Parts, tools and advice.', 'open'],
  ['Balcony gardeners', 'Seeds, cuttings and pots that are too many.', 'open'],
  ['Vinyl, nothing else', 'Records for records.', 'request'],
  ['Board games by the river', 'We meet on the first Thursday.', 'request'],
  ['Lisbon book circle', 'Read it, pass it on.', 'open'],
  ['Students of Leipzig', 'Furnish a room without money.', 'request'],
  ['Tool library Hamburg', 'Why should everybody own a drill?', 'request'],
  ['Knitters and sewers', 'Wool, fabric and patterns.', 'open'],
  ['Lyon outdoors', 'Tents, boots, and who comes along.', 'open'],
  ['Neighbours of house 14', 'For those who live here.', 'invite'],
  ['Camera exchange', 'Lenses want to travel.', 'request'],
]

/** Groups with members in all states: who asks, who is in, who was turned away, who left, and who was banned. */
export async function insertGroups(tx: Tx, { year, users, after }: Dataset): Promise<void> {
  const now = sql`${year.now}::timestamptz`
  const [names, texts, policies] = [0, 1, 2].map((column) => GROUPS.map((group) => group[column]!))
  await sql`
    insert into groups (owner_id, name, description, visibility, join_policy, created_at, updated_at)
    select u.user_id, g.name, g.about, case g.policy when 'invite' then 'private' else 'public' end, g.policy,
      u.created_at + interval '10 days', u.created_at + interval '10 days'
    from unnest(${names}::text[], ${texts}::text[], ${policies}::text[]) with ordinality g(name, about, policy, place)
    join lateral (
      select user_id, created_at from users
      where user_id > ${after.users}::bigint + g.place * ${Math.floor(users / 40)}::int and status = 'active'
        and deleted_at is null and role = 'user'
      order by user_id limit 1) u on true`.execute(tx)
  const key = sql`g.group_id * 1000000 + u.user_id`
  await sql`
    insert into group_members (group_id, user_id, role, status, requested_at, decided_by, decided_at)
    select group_id, owner_id, 'owner', 'approved', created_at, owner_id, created_at from groups
    union all
    select group_id, user_id, case when status = 'approved' and chosen < 0.06 then 'admin' else 'member' end, status,
      requested_at,
      case status when 'pending' then null when 'left' then user_id else owner_id end,
        case when status <> 'pending' then decided_at end
    from (
      select *, case when decided_at >= ${now} then 'pending' when fate < 0.07 and join_policy <> 'open' then 'rejected'
        when fate < 0.14 then 'left' when fate < 0.16 then 'banned' else 'approved' end as status
      from (
        select g.group_id, g.owner_id, g.join_policy, u.user_id, requested_at,
          requested_at + ${hours(sql`0.1 + ${spread('decides', key, 40)}`)} as decided_at,
          ${draw('fate of member', key)} as fate, ${draw('chosen', key)} as chosen
        from groups g join users u on u.user_id <> g.owner_id and ${draw('joins group', key)} < 0.08
          and u.status = 'active'
          and u.deleted_at is null and u.role = 'user' and u.user_id > ${after.users}::bigint
        cross join lateral (select greatest(g.created_at, u.created_at) + (${now} - greatest(g.created_at,
          u.created_at)) * ${draw('joins at', key)}
          as requested_at) at) asked) decided`.execute(tx)
}

/** Some of the swaps between members of one group were made there. */
export async function putSwapsIntoGroups(tx: Tx): Promise<void> {
  await analyze(tx, 'group_members', ['group_id', 'user_id', 'status'])
  await sql`
    update swaps s set group_id = shared.group_id
    from (
      select s.swap_id, min(a.group_id) as group_id
      from swaps s join group_members a on a.user_id = s.requester_id and a.status = 'approved'
        and a.decided_at < s.created_at
      join group_members b on b.user_id = s.owner_id and b.group_id = a.group_id and b.status = 'approved'
        and b.decided_at < s.created_at
      group by s.swap_id) shared
    where shared.swap_id = s.swap_id`.execute(tx)
}
