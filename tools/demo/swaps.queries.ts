import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import type { Dataset, Range } from './dataset.ts'
import { draw, hours, chooseMoment, pick, spread, type Sql } from './random.queries.ts'

/** Each swap has products of its own for when it succeeds, so that none is held twice; so many there are at least. */
export const PRODUCTS_FOR_EACH_SWAP = 4

/** This share of the products has swaps. The others are too young for the swaps of their time. */
const OLD_ENOUGH = 0.96

/** Inserts the swaps of a range as they stand now, with items, rounds and the changes of their state. */
export async function insertSwaps(tx: Tx, dataset: Dataset, range: Range): Promise<void> {
  await sql`drop table if exists draft_swaps`.execute(tx)
  await draftSwaps(tx, dataset, range)
  await sql`analyze draft_swaps`.execute(tx)
  await sql`
    insert into swaps (swap_id, requester_id, owner_id, origin, status, turn, round, note, expires_at, responded_at, accepted_at,
      requester_confirmed_at, owner_confirmed_at, completed_at, closed_at, close_reason, version, created_at, updated_at)
    select swap_id, requester_id, owner_id, case when is_match then 'match' else 'request' end,
      status, case rounds % 2 when 1 then 'owner' else 'requester' end, rounds, note, last_at + interval '7 days', responded_at, accepted_at,
      requester_confirmed_at, owner_confirmed_at, completed_at, closed_at, close_reason,
      rounds + (accepted_at is not null)::int + (first_at is not null)::int + (disputed_at is not null)::int
        + (closed_at is not null)::int + (status = 'declined')::int,
      created_at, greatest(last_at, accepted_at, first_at, disputed_at, closed_at)
    from draft_swaps order by swap_id`.execute(tx)
  await insertItems(tx)
  await insertRounds(tx)
  await insertDisputes(tx)
  await insertChanges(tx)
  await insertMatches(tx)
}

async function insertDisputes(tx: Tx): Promise<void> {
  const isOver = sql`status <> 'disputed'`
  await sql`
    insert into swap_disputes (swap_id, side, reason, opened_at, resolution, note, resolved_at)
    select swap_id, 'requester', 'What I got is not what the pictures showed.', disputed_at, case when ${isOver} then status end,
      case when status = 'cancelled' then 'Both keep what is theirs.' end, case when ${isOver} then closed_at end
    from draft_swaps where disputed_at is not null order by swap_id`.execute(tx)
}

/**
 * Fences (materialized, offset 0) keep the planner from repeating each expression wherever it is used: without them
 * planning took seconds.
 *
 * Each swap has a course (who answers when, and how it would end), and stands where the course was at `cut`: now, or
 * when one of its people was banned, suspended or deleted.
 */
async function draftSwaps(tx: Tx, dataset: Dataset, range: Range): Promise<void> {
  await sql`
    create temp table draft_swaps on commit drop as
    with courses as materialized (${selectCourses(dataset, range)}),
    cut as materialized (
      select *, 1 + (rounds_meant > 1 and second_at <= cut)::int + (rounds_meant > 2 and third_at <= cut)::int as rounds,
        case when answered_at <= cut and outcome in ('completed', 'cancelled', 'disputed') then answered_at end as accepted_at
      from courses),
    standing as materialized (
      select *, case rounds when 1 then created_at when 2 then second_at else third_at end as last_at,
        case when accepted_at is not null then
            case when outcome = 'completed' and both_at <= cut then 'completed'
              when outcome = 'cancelled' and ended_at <= cut then 'cancelled'
              when outcome = 'disputed' and ended_at <= cut then case when settled_at <= cut then 'cancelled' else 'disputed' end
              else 'accepted' end
          when outcome in ('declined', 'withdrawn') and answered_at <= cut then outcome
          when outcome = 'expired' and expired_at <= cut then 'expired'
          else case rounds when 2 then 'countered' else 'pending' end end as stood
      from cut),
    closed as materialized (
      select *, case when gone_at is not null and stood in ('pending', 'countered', 'accepted', 'disputed') then 'invalidated' else stood end
        as status
      from standing)
    select swap_id, j, ${draw('origin', sql`j`)} < 0.2 as is_match, requested, offered, requester_id, owner_id, status, stood, rounds, created_at, second_at, third_at, last_at,
      accepted_at,
      case when rounds > 1 then second_at when accepted_at is not null or status = 'declined' then answered_at end as responded_at,
      case when outcome = 'completed' and first_at <= cut then first_at end as first_at,
      case when outcome = 'completed' and first_at <= cut and is_requester_first then first_at
        when status = 'completed' then both_at end as requester_confirmed_at,
      case when outcome = 'completed' and first_at <= cut and not is_requester_first then first_at
        when status = 'completed' then both_at end as owner_confirmed_at,
      case when status = 'completed' then both_at end as completed_at,
      case when outcome = 'disputed' and accepted_at is not null and ended_at <= cut then ended_at end as disputed_at,
      case status when 'declined' then answered_at when 'withdrawn' then answered_at when 'expired' then expired_at
        when 'completed' then both_at when 'cancelled' then case outcome when 'disputed' then settled_at else ended_at end
        when 'invalidated' then gone_at end as closed_at,
      case when status = 'invalidated' then gone_why when status = 'completed' and is_automatic then 'confirmed_by_one'
        when status not in ('pending', 'countered', 'accepted', 'disputed') then status end as close_reason,
      case when ${draw('swap note', sql`j`)} < 0.4 then ${pick('which note', sql`j`, dataset.words.proposalNotes)} end as note
    from closed`.execute(tx)
}

function selectCourses(dataset: Dataset, range: Range): Sql {
  const j = sql`j`
  const answer = (purpose: string, mean: number) => hours(sql`0.1 + least(${spread(purpose, j, mean)}, 160)`)
  return sql`
    select *, answered_at + ${hours(sql`12 + ${spread('meets', j, 60)}`)} as first_at,
      answered_at + ${hours(sql`12 + ${spread('meets', j, 60)}`)} + both_after as both_at,
      answered_at + ${hours(sql`6 + ${spread('ends', j, 50)}`)} as ended_at,
      answered_at + ${hours(sql`30 + ${spread('ends', j, 50)} + ${spread('settles', j, 120)}`)} as settled_at,
      last_meant_at + interval '7 days' as expired_at, least(gone_at, ${dataset.year.now}) as cut
    from (
      select *, last_meant_at + ${answer('answers', 34)} as answered_at
      from (
        select *, case rounds_meant when 1 then created_at when 2 then second_at else third_at end as last_meant_at
        from (
          select *, second_at + ${answer('third round', 14)} as third_at
          from (
            select *, created_at + ${answer('second round', 14)} as second_at,
              case when ${draw('rounds', j)} < 0.68 then 1 when ${draw('rounds', j)} < 0.92 then 2 else 3 end as rounds_meant,
              case when is_automatic then interval '14 days' else ${hours(sql`0.05 + ${spread('both', j, 9)}`)} end as both_after,
              ${draw('first', j)} < 0.5 as is_requester_first
            from (${selectPairs(dataset, range)}) pairs offset 0) twice offset 0) thrice offset 0) meant offset 0) answered`
}

/**
 * The two products of each swap and their people. Products of position 1 and 2 of a swap's share belong to it alone;
 * proposals that fail are about any of the others, so that some products are asked for often.
 */
function selectPairs({ year, swaps, products, after }: Dataset, { first, last }: Range): Sql {
  const j = sql`j`
  const now = sql`${year.now}::timestamptz`
  const each = sql`${OLD_ENOUGH * (products / swaps)}::float8`
  const any = (purpose: string) =>
    sql`floor(floor(${draw(purpose, j)} * j) * ${each})::bigint + 3 + floor(${draw(`${purpose} place`, j)} * (floor(${each}) - 2))::bigint`
  return sql`
    select ${after.swaps}::bigint + j as swap_id, j, outcome, is_automatic, requested, offered, requester.user_id as requester_id,
      owner.user_id as owner_id, asked.created_at, least(${goneAt('requester')}, ${goneAt('owner')}) as gone_at,
      'user_' || case when ${isGoneFirst('requester', 'owner')} then ${endReason('requester')} else ${endReason('owner')} end as gone_why
    from (
      select j, outcome, ${draw('automatic', j)} < 0.05 as is_automatic, r.product_id as requested, o.product_id as offered,
        r.user_id as owner_id, o.user_id as requester_id,
        date_trunc('second', greatest(${chooseMoment(sql`(j - 1 + ${draw('asked', j)}) / ${swaps}::float8`, year)},
          greatest(r.verified_at, o.verified_at) + ${hours(spread('asks', j, 9))})) as created_at
      from (
        select j, outcome, ${after.products}::bigint + case when succeeds then floor((j - 1) * ${each})::bigint + 1 else ${any('requested')} end as requested,
          ${after.products}::bigint + case when succeeds then floor((j - 1) * ${each})::bigint + 2 else ${any('offered')} end as offered
        from (
          select *, outcome in ('completed', 'cancelled', 'disputed') as succeeds
          from (select j, ${chooseOutcome(j)} as outcome from generate_series(${first}::bigint, ${last}::bigint) j offset 0) fated) fates offset 0) chosen
      join products r on r.product_id = requested and r.verification = 'verified' and r.status = 'active' and r.deleted_at is null
      join products o on o.product_id = offered and o.verification = 'verified' and o.status = 'active' and o.deleted_at is null
      where r.user_id <> o.user_id offset 0) asked
    join users requester on requester.user_id = requester_id
    join users owner on owner.user_id = owner_id
    where asked.created_at < least(${leftAt('requester')}, ${leftAt('owner')}, ${now})`
}

function chooseOutcome(j: Sql): Sql {
  const outcome = draw('outcome', j)
  return sql`case when ${outcome} < 0.43 then 'completed' when ${outcome} < 0.5 then 'cancelled' when ${outcome} < 0.515 then 'disputed'
    when ${outcome} < 0.73 then 'declined' when ${outcome} < 0.81 then 'withdrawn' else 'expired' end`
}

function goneAt(user: string): Sql {
  const u = sql.ref(user)
  return sql`case when ${u}.status in ('suspended', 'banned') or ${u}.deleted_at is not null then ${u}.updated_at end`
}

function isGoneFirst(one: string, other: string): Sql {
  return sql`coalesce(${goneAt(one)}, 'infinity') <= coalesce(${goneAt(other)}, 'infinity')`
}

function endReason(user: string): Sql {
  const u = sql.ref(user)
  return sql`case when ${u}.deleted_at is not null then 'deleted' else ${u}.status end`
}

function leftAt(user: string): Sql {
  const u = sql.ref(user)
  return sql`case when ${u}.status <> 'active' or ${u}.deleted_at is not null then ${u}.updated_at end`
}

/** A product is held from acceptance until the swap is cancelled, and what is swapped is so for good (decision D). */
async function insertItems(tx: Tx): Promise<void> {
  await sql`
    insert into swap_items (swap_id, product_id, side, is_held, asked_by)
    select swap_id, product_id, side, status in ('accepted', 'disputed', 'completed'),
      case when side = 'requested' and status in ('pending', 'countered') and row_number() over (
        partition by requester_id, product_id, side, status in ('pending', 'countered') order by swap_id) = 1 then requester_id end
    from draft_swaps cross join lateral (values (requested, 'requested'), (offered, 'offered')) items(product_id, side)
    order by swap_id`.execute(tx)
  await sql`
    update products p set status = case d.status when 'completed' then 'swapped' else 'reserved' end, version = version + 1,
      updated_at = greatest(p.updated_at, d.accepted_at, d.completed_at)
    from draft_swaps d where p.product_id in (d.requested, d.offered) and d.status in ('accepted', 'disputed', 'completed')`.execute(
    tx,
  )
}

async function insertRounds(tx: Tx): Promise<void> {
  await sql`
    insert into swap_rounds (swap_id, round, proposed_by, offered, requested, note, created_at)
    select swap_id, r.round, case r.round when 2 then 'owner' else 'requester' end, array[offered], array[requested],
      case when r.round = 1 then note end, r.at
    from draft_swaps cross join lateral (values (1, created_at), (2, second_at), (3, third_at)) r(round, at)
    where r.round <= rounds order by swap_id, r.round`.execute(tx)
}

async function insertChanges(tx: Tx): Promise<void> {
  const isOwnersTurn = sql`(rounds % 2 = 1)`
  const isOwnerFirst = sql`(owner_confirmed_at = first_at)`
  await sql`
    insert into state_changes (entity, entity_id, from_state, to_state, actor, actor_id, note, at)
    select 'swap', swap_id, from_state, to_state, actor,
      case when actor = 'administrator' then (select min(user_id) from users where role <> 'user')
        when side = 'owner' then owner_id when side = 'requester' then requester_id end,
      case when place = 1 then null when place = 7 then close_reason else 'by_' || side end, at
    from draft_swaps cross join lateral (values
      (1, null, 'pending', 'user', 'requester', created_at),
      (2, 'pending', 'countered', 'user', 'owner', case when rounds > 1 then second_at end),
      (3, 'countered', 'pending', 'user', 'requester', case when rounds > 2 then third_at end),
      (4, case rounds when 2 then 'countered' else 'pending' end, 'accepted', 'user',
        case when ${isOwnersTurn} then 'owner' else 'requester' end, accepted_at),
      (5, 'accepted', 'accepted', 'user', case when ${isOwnerFirst} then 'owner' else 'requester' end, first_at),
      (6, 'accepted', 'disputed', 'user', 'requester', disputed_at),
      (7, case when disputed_at is not null then 'disputed' when accepted_at is not null then 'accepted'
          when rounds = 2 then 'countered' else 'pending' end, status,
        case when status in ('expired', 'invalidated') or close_reason = 'confirmed_by_one' then 'system'
          when disputed_at is not null then 'administrator' else 'user' end,
        case when status in ('expired', 'invalidated') or close_reason = 'confirmed_by_one' then null
          when status = 'declined' and ${isOwnersTurn} or status = 'withdrawn' and not ${isOwnersTurn}
            or status = 'completed' and not ${isOwnerFirst} then 'owner'
          else 'requester' end, closed_at)
    ) c(place, from_state, to_state, actor, side, at)
    where at is not null order by swap_id, place`.execute(tx)
}

/** The likes behind the swaps of matches: each side liked the other's product. */
async function insertMatches(tx: Tx): Promise<void> {
  await sql`
    insert into likes (user_id, product_id, created_at)
    select person, product_id, min(created_at) - interval '10 minutes'
    from draft_swaps cross join lateral (values (requester_id, requested), (owner_id, offered)) l(person, product_id)
    where is_match group by person, product_id order by person, product_id
    on conflict (user_id, product_id) do update set created_at = least(likes.created_at, excluded.created_at)`.execute(
    tx,
  )
  await sql`
    insert into matches (first_user_id, second_user_id, created_at)
    select least(requester_id, owner_id), greatest(requester_id, owner_id), min(created_at) - interval '10 minutes'
    from draft_swaps where is_match group by 1, 2 order by 1, 2
    on conflict (first_user_id, second_user_id) do update set created_at = least(matches.created_at, excluded.created_at)`.execute(
    tx,
  )
}
