import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { atHome, countHomes } from '../../platform/db/homes.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import { must } from '../../platform/shared/must.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { homeSql, listHomes, walkHomes } from '../records/home.queries.ts'
import { RUNNING } from '../records/statuses.queries.ts'
import { OF_MESSAGE, WORK, type DueWork } from './work.queries.ts'

export const LANES = ['transactional', 'campaign'] as const satisfies Lane[]
// So many running messages have most likely something to do in every home, and are not asked for by their ids.
const AWAKE_READ = 1_000

/** Work of a lane that is due, up to `limit`, or named work if it still is. */
export type WorkChoice = DueChoice | { home: number; workIds: readonly number[] }
/** `except`: messages of which nothing is taken. */
export type DueChoice = { home: number; lane: Lane; limit: number; except?: readonly number[] }

/** A home where something is due, and how much. One whose server does not answer is passed over. */
export async function findDueHome(
  db: Db,
  provider: string,
  choice: Omit<DueChoice, 'home'>,
  now: Date,
): Promise<{ home: number; due: number }> {
  let found = { home: 0, due: 0 }
  const awake = await listAwakeHomes(db)
  const errors = await walkHomes(db, async (home) => {
    if (!awake[choice.lane].has(home)) return false
    const named = { ...choice, home, awake: awake[choice.lane].get(home) }
    const due = await atHome(db, home, (own) => countDueWork(own, provider, named, now))
    found = { home, due }
    return found.due > 0
  })
  if (found.due === 0 && errors.length > 0) throw errors[0]
  return found
}

/** The ids of running messages, unless there are too many to name. */
export type AwakeMessages = readonly number[] | 'many'

/**
 * The homes where a lane may have something to do, with its running messages: those of their recipients, and all where
 * such a message has several, or a campaign is paused whose answers may be on their way. The coordinator says so in one
 * statement, and a plain database without one.
 */
export async function listAwakeHomes(db: Db): Promise<Record<Lane, ReadonlyMap<number, AwakeMessages>>> {
  const homes = listHomes(db)
  const inAll = new Map(homes.map((home) => [home, 'many' as const]))
  if (countHomes(db) === 1) return { transactional: inAll, campaign: inAll }
  const { rows } = await sql<{ lane: Lane; home: number | null; ids: number[] }>`
    select lane, home, json_agg(message_id) as ids from (
      select lane, ${homeSql(db, 'recipient_id')}::int as home, message_id from messages
      where status in ${RUNNING} and sleeps_until is null limit ${AWAKE_READ}) awake
    group by lane, home
    union all
    select 'campaign', null, '[]'
    where exists (select from messages where status = 'paused' and recipient_id is null)`.execute(db)
  if (rows.flatMap(({ ids }) => ids).length === AWAKE_READ) return { transactional: inAll, campaign: inAll }
  const listIn = (lane: Lane) =>
    new Map(
      homes.flatMap((home) => {
        const own = rows.filter((row) => row.lane === lane && (row.home === null || row.home === home))
        return own.length === 0 ? [] : [[home, own.flatMap(({ ids }) => ids)] as const]
      }),
    )
  return { transactional: listIn('transactional'), campaign: listIn('campaign') }
}

/**
 * Counts up to `limit`. If `awake` names the running messages, it counts their work without a join, because Citus takes
 * three times as long to plan one.
 */
export async function countDueWork(
  db: Db,
  provider: string,
  { awake = 'many', ...choice }: DueChoice & { awake?: AwakeMessages | undefined },
  now: Date,
): Promise<number> {
  if (awake !== 'many') {
    const ids = awake.filter((id) => choice.except?.includes(id) !== true)
    const { rows: own } = await sql`
      select w.work_id from work w
      where w.home = ${choice.home} and w.message_id = any(${int8Array(ids)}::bigint[]) and w.due_at <= ${now}
        and ${isForProvider(provider)}
      limit ${choice.limit}`.execute(db)
    return own.length
  }
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from messages m cross join lateral (${selectDue(sql`w.work_id`, provider, choice, now)}) w
      where ${isAwakeIn(choice)}
      limit ${choice.limit}) due`.execute(db)
  return must(rows[0], 'count of due work').n
}

/** Oldest message first, then longest due. A sort after the join would lock the work of all messages. */
export async function lockDueWork(tx: Tx, provider: string, choice: WorkChoice, now: Date): Promise<DueWork[]> {
  const { rows } =
    'lane' in choice
      ? await sql<DueWork>`
          select w.*, ${OF_MESSAGE}
          from (
            select * from messages m where ${isAwakeIn(choice)}
            order by created_at, message_id) m
          cross join lateral (${selectDue(WORK, provider, choice, now)} for update of w skip locked) w
          limit ${choice.limit}`.execute(tx)
      : await sql<DueWork>`
          select ${WORK}, ${OF_MESSAGE} from work w join messages m on m.message_id = w.message_id
          where w.home = ${choice.home} and w.work_id = any(${int8Array(choice.workIds)}::bigint[])
            and w.due_at <= ${now} and m.status in ${RUNNING} and ${isForProvider(provider)}
          order by w.work_id for update of w skip locked`.execute(tx)
  return rows
}

function isAwakeIn({ lane, except = [] }: DueChoice) {
  const isTaken = except.length > 0 ? sql`m.message_id <> all(${int8Array(except)}::bigint[])` : undefined
  return joinWithAnd([sql`m.status in ${RUNNING} and m.lane = ${lane} and m.sleeps_until is null`, isTaken])
}

function selectDue(columns: ReturnType<typeof sql>, provider: string, { home, limit }: DueChoice, now: Date) {
  return sql`
    select ${columns} from work w
    where w.home = ${home} and w.message_id = m.message_id and w.due_at <= ${now} and ${isForProvider(provider)}
    order by w.due_at, w.work_id limit ${limit}`
}

function isForProvider(provider: string) {
  return sql`(w.provider is null or w.provider = ${provider})`
}
