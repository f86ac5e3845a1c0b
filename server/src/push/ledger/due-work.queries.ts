import { sql, type RawBuilder } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { atHome, countHomes } from '../../platform/db/homes.ts'
import { toCoordinator } from '../../platform/db/transaction.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import { must } from '../../platform/shared/must.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { homeSql, listHomes, messagesIn, walkHomes } from '../records/home.queries.ts'
import { RUNNING } from '../records/statuses.queries.ts'
import { isAmong, listRunning, NAMED_AT_MOST } from './running-work.queries.ts'
import { OF_MESSAGE, WORK, type DueWork } from './work.queries.ts'

export const LANES = ['transactional', 'campaign'] as const satisfies Lane[]

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
  const awake = (await listAwakeHomes(db))[choice.lane]
  const errors = await walkHomes(db, async (home) => {
    const ofHome = awake.get(home)
    if (ofHome === undefined) return false
    const due = await atHome(db, home, async (own) => {
      const named = await nameAwake({ ...choice, db, own, home, provider }, ofHome, now)
      return countDueWork(own, provider, { ...choice, home, awake: named }, now)
    })
    found = { home, due }
    return due > 0
  })
  if (found.due === 0 && errors.length > 0) throw errors[0]
  return found
}

type Question = Pick<DueChoice, 'home' | 'lane' | 'except'> & { db: Db; own: Db; provider: string }

/**
 * Where too many messages run to name them, those of which something is due in a home. Undefined on a plain database,
 * whose statements find them.
 */
export async function nameAwake(
  { db, own, home, lane, provider, except }: Question,
  awake: AwakeMessages,
  now: Date,
): Promise<readonly number[] | undefined> {
  if (countHomes(db) === 1) return undefined
  if (awake !== 'many') return awake
  const work = joinWithAnd([sql`w.due_at <= ${now} and ${isForProvider(provider)}`, isNotIn(except)])
  return listRunning({ own, coordinator: db, home }, { work, message: sql`m.lane = ${lane}` })
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
      where status in ${RUNNING} and sleeps_until is null limit ${NAMED_AT_MOST}) awake
    group by lane, home
    union all
    select 'campaign', null, '[]'
    where exists (select from messages where status = 'paused' and recipient_id is null)`.execute(db)
  if (rows.flatMap(({ ids }) => ids).length === NAMED_AT_MOST) return { transactional: inAll, campaign: inAll }
  const listIn = (lane: Lane) =>
    new Map(
      homes.flatMap((home) => {
        const own = rows.filter((row) => row.lane === lane && (row.home === null || row.home === home))
        return own.length === 0 ? [] : [[home, own.flatMap(({ ids }) => ids)] as const]
      }),
    )
  return { transactional: listIn('transactional'), campaign: listIn('campaign') }
}

/** Counts up to `limit`. `awake`: the messages that run, where there are several homes. */
export async function countDueWork(
  db: Db,
  provider: string,
  { awake, ...choice }: DueChoice & { awake?: readonly number[] | undefined },
  now: Date,
): Promise<number> {
  if (awake) {
    const { home, limit, except = [] } = choice
    const ids = awake.filter((id) => !except.includes(id))
    // A statement without a join, because Citus takes three times as long to plan one.
    const { rows: own } = await sql`
      select w.work_id from work w
      where w.home = ${home} and w.message_id = any(${int8Array(ids)}::bigint[]) and w.due_at <= ${now}
        and ${isForProvider(provider)}
      limit ${limit}`.execute(db)
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
  const { home } = choice
  const messages = messagesIn(tx, home)
  const runs = await areRunning(tx, provider, choice, now)
  const { rows } =
    'lane' in choice
      ? await sql<DueWork>`
          select w.*, ${OF_MESSAGE}
          from (
            select * from ${messages} m where ${runs}
            order by created_at, message_id) m
          cross join lateral (${selectDue(WORK, provider, choice, now)} for update of w skip locked) w
          limit ${choice.limit}`.execute(tx)
      : await sql<DueWork>`
          select ${WORK}, ${OF_MESSAGE} from work w join ${messages} m on m.message_id = w.message_id
          where w.home = ${home} and ${isNamed(choice.workIds)} and w.due_at <= ${now} and ${runs}
            and ${isForProvider(provider)}
          order by w.work_id for update of w skip locked`.execute(tx)
  return rows
}

/** A condition on messages `m`. Where there are several homes, the coordinator says which with such work run. */
async function areRunning(tx: Tx, provider: string, choice: WorkChoice, now: Date): Promise<RawBuilder<unknown>> {
  const isDue = 'lane' in choice
  if (countHomes(tx) === 1) return isDue ? isAwakeIn(choice) : sql`m.status in ${RUNNING}`
  const { home } = choice
  const wish = {
    work: joinWithAnd([
      sql`w.due_at <= ${now} and ${isForProvider(provider)}`,
      isDue ? isNotIn(choice.except) : isNamed(choice.workIds),
    ]),
    message: isDue ? sql`m.lane = ${choice.lane}` : sql`true`,
  }
  return isAmong(await listRunning({ own: tx, coordinator: toCoordinator(tx), home }, wish))
}

function isAwakeIn({ lane, except }: DueChoice) {
  return joinWithAnd([
    sql`m.status in ${RUNNING} and m.lane = ${lane} and m.sleeps_until is null`,
    isNotIn(except, 'm'),
  ])
}

function isNotIn(messageIds: readonly number[] = [], of: 'm' | 'w' = 'w') {
  if (messageIds.length === 0) return undefined
  return sql`${sql.raw(of)}.message_id <> all(${int8Array(messageIds)}::bigint[])`
}

function isNamed(workIds: readonly number[]) {
  return sql`w.work_id = any(${int8Array(workIds)}::bigint[])`
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
