import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import { atMicros, toMicros } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { atHome, countHomes } from '../../platform/db/homes.ts'
import type { Lane, Platform } from '../../platform/tables/tables.ts'
import { listHomes, listHomesInTurn, toHome } from './home.queries.ts'
import { waitUntilTold } from './home-messages.queries.ts'
import { RUNNING } from './statuses.queries.ts'

/** Why a send is paused that became larger than its sender may send alone. */
export const APPROVAL_NEEDED = 'ApprovalNeeded'

/** Paused by a halt: not by an administrator, nor for want of an approval. */
export async function listHaltedCampaigns(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('messages')
    .select('message_id')
    .where('status', '=', sql.lit('paused'))
    .where('pause_reason', 'is not', null)
    .where('pause_reason', '!=', APPROVAL_NEEDED)
    .execute()
  return rows.map((row) => row.message_id)
}

/** A place in the index of running messages; `at`: microseconds. */
export type RunningPlace = { lane: Lane; at: number; messageId: number }

/**
 * Reads the next `limit` running messages after a place, and finds those without work in the first home: whether they
 * have some in another is found when they are to be completed. Those asleep are left out, though something is left to
 * send. Undefined: there are no more.
 */
export async function findWithoutWork(
  tx: Tx,
  { lane, at, messageId }: RunningPlace,
  limit: number,
): Promise<{ last: RunningPlace; messageIds: number[] } | undefined> {
  const home = 0
  const { rows } = await sql<RunningPlace & { messageIds: number[] }>`
    with listed as materialized (
      select lane, created_at, message_id, coordinated_at is not null as is_coordinated from messages
      where status in ${RUNNING} and sleeps_until is null
        and (lane, created_at, message_id) > (${lane}, ${atMicros(at)}, ${messageId}::bigint)
      order by lane, created_at, message_id limit ${limit})
    select lane, ${toMicros(sql`created_at`)} as at, message_id as "messageId", array(
      select message_id from listed m
      where is_coordinated and not exists (
        select from work w where w.home = ${home} and w.message_id = m.message_id)) as "messageIds"
    from listed order by lane desc, created_at desc, message_id desc limit 1`.execute(tx)
  const [row] = rows
  return row && { last: row, messageIds: row.messageIds }
}

export async function listUncoordinatedMessages(db: Db): Promise<number[]> {
  const { rows } = await sql<{ message_id: number }>`
    select message_id from messages where status in ${RUNNING} and coordinated_at is null
    order by created_at, message_id limit 100`.execute(db)
  return rows.map((row) => row.message_id)
}

/**
 * What is over in a home stays so, once all have their batches; thus one home of its people is asked after another,
 * each at its server. A commit reaches that after the coordinator: until then it knows no message to one person, and
 * one to several waits for it. It takes no transaction, so that no home is kept locked for the next.
 */
export async function listOver(db: Db, messageIds: number[]): Promise<number[]> {
  if (countHomes(db) === 1) return messageIds
  const { rows } = await sql<{ message_id: number; recipient_id: number | null }>`
    select message_id, recipient_id from messages where message_id = any(${messageIds}) and ${MAY_END}`.execute(db)
  const over = new Map(rows.map((row) => [row.message_id, row.recipient_id]))
  const endIn = async (home: number, isToMany: boolean) => {
    const toMany = [...over].flatMap(([id, userId]) => (userId === null ? [id] : []))
    const toOne = [...over].flatMap(([id, userId]) => (userId !== null && toHome(db, userId) === home ? [id] : []))
    const own = isToMany ? toMany : [...toMany, ...toOne]
    if (own.length === 0) return
    if (isToMany) await waitUntilTold(db, home, own)
    const ended = sql<{ message_id: number }>`
      select m.message_id from unnest(${int8Array(own)}::bigint[]) m(message_id)
      where not ${isOpenIn(home)} and (m.message_id = any(${int8Array(toMany)}::bigint[]) or exists (
        select from home_messages h where h.home = ${home} and h.message_id = m.message_id))`
    const found = (await atHome(db, home, (server) => ended.execute(server))).rows.map((row) => row.message_id)
    for (const id of own) if (!found.includes(id)) over.delete(id)
  }
  for (const home of listHomesInTurn(db)) await endIn(home, false)
  for (const home of listHomesInTurn(db)) await endIn(home, true)
  return [...over.keys()]
}

export const MAY_END = sql`status in ${RUNNING} and coordinated_at is not null`

export function isOpenIn(home: number) {
  return sql`(exists (select from work w where w.home = ${home} and w.message_id = m.message_id)
    or exists (
      select from requests r where r.home = ${home} and r.outcome is null and m.message_id = any(r.message_ids)))`
}

/** A claim or an answer that was on its way put work of these back, or the server of a home was away. */
export async function listStoppedUnended(db: Db): Promise<number[]> {
  const { rows: unheard } = await sql<{ message_id: number }>`
    select message_id from messages
    where status = 'stopped' and coordinated_at is null and audience <> 'users' limit 100`.execute(db)
  const found = new Set<number>(unheard.map((row) => row.message_id))
  for (const home of listHomes(db)) {
    const { rows } = await sql<{ message_id: number }>`
      with stopped as materialized (select message_id from messages where status = 'stopped')
      select message_id from stopped m
      where exists (select from work w where w.home = ${home} and w.message_id = m.message_id)
      order by message_id limit 100`.execute(db)
    for (const row of rows) found.add(row.message_id)
  }
  return [...found]
}

/** What waits in a home for a platform that was paused, in the order of work with an id above `after`. */
export async function listWaitingFor(
  db: Db | Tx,
  { home, provider, platform }: { home: number; provider: string; platform: Platform },
  { after, limit }: { after: number; limit: number },
): Promise<PutOff[]> {
  const { rows } = await sql<PutOff>`
    select work_id as "workId", message_id as "messageId" from work
    where home = ${home} and provider = ${provider} and platform = ${platform} and work_id > ${after}
    order by work_id limit ${limit}`.execute(db)
  return rows
}

type PutOff = { workId: number; messageId: number }
