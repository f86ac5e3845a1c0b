import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { must } from '../../platform/shared/must.ts'
import { tellHomesOf } from '../records/home-messages.queries.ts'
import { groupByHome, toHome, valuesOr } from '../records/home.queries.ts'
import { insertWork } from './work.queries.ts'
import { NO_TICKET } from './copies.queries.ts'
import { FACTS, type Fact, type Ledger } from './ledger.ts'
import { tally } from '../../platform/shared/tally.ts'
import { wasOver, type DeletedUpTo, type DeleteStep } from '../records/old-messages.queries.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
// A byte numbers 255, and the next change may bring one more.
const MOMENTS_MAX = 254

type Row = {
  batch_id: number
  message_id: number
  user_ids: number[]
  device_ids: number[]
  facts: Buffer
  tickets: string
  long_tickets: string[] | null
  words: string[]
  moments: Date[]
}

const COLUMNS = sql`batch_id, message_id, user_ids, device_ids, facts, tickets::text as tickets, long_tickets, words,
  moments`

/** Locks in the order of ids, so that two transactions over the same batches cannot deadlock. */
export async function lockLedgers(tx: Runner, home: number, batchIds: readonly number[]): Promise<Map<number, Ledger>> {
  if (batchIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select ${COLUMNS} from batches where home = ${home} and batch_id = any(${int8Array(batchIds)}::bigint[])
    order by batch_id for update`.execute(tx)
  return toLedgers(rows)
}

export async function readLedgers(
  db: Db | Tx,
  home: number,
  batchIds: readonly number[],
): Promise<Map<number, Ledger>> {
  if (batchIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select ${COLUMNS} from batches where home = ${home} and batch_id = any(${int8Array(batchIds)}::bigint[])`.execute(
    db,
  )
  return toLedgers(rows)
}

/** Stores what changed of batches that are locked. Columns that did not change are not sent. */
export async function storeLedgers(tx: Runner, home: number, ledgers: readonly Ledger[]): Promise<void> {
  if (ledgers.length === 0) return
  const stored = ledgers.map(toStored)
  const sizes = stored.map(({ facts }) => facts.length)
  let end = 1
  const starts = sizes.map((size) => (end += size) - size)
  const column = <Name extends keyof (typeof stored)[number]>(name: Name) => stored.map((one) => one[name])
  await sql`
    update batches b set facts = substring(${Buffer.concat(column('facts'))}::bytea from r.start for r.size),
      device_ids = coalesce(r.device_ids, b.device_ids), tickets = coalesce(r.tickets, b.tickets),
      long_tickets = case when r.tickets is null then b.long_tickets else r.long_tickets end,
      words = r.words, moments = r.moments
    from (
      select batch_id, start, size, device_ids::bigint[], tickets::uuid[], long_tickets::text[], words::text[],
        moments::timestamptz[]
      from unnest(${int8Array(ledgers.map(({ batchId }) => batchId))}::bigint[], ${int8Array(starts)}::int[],
        ${int8Array(sizes)}::int[], ${column('deviceIds')}::text[], ${column('tickets')}::text[],
        ${column('longTickets')}::text[], ${column('words')}::text[], ${column('moments')}::text[]) as u(batch_id,
          start, size, device_ids, tickets, long_tickets, words, moments)
      offset 0) r
    where b.home = ${home} and b.batch_id = r.batch_id`.execute(tx)
}

function toLedgers(rows: readonly Row[]): Map<number, Ledger> {
  return new Map(rows.map((row) => [row.batch_id, toLedger(row)]))
}

function toLedger(row: Row): Ledger {
  const n = row.device_ids.length
  const planes = FACTS.map((name, plane) => [name, row.facts.subarray(plane * n, (plane + 1) * n)] as const)
  const facts: Record<Fact, Uint8Array> = Object.fromEntries(planes) as { [Name in Fact]: Buffer }
  return {
    batchId: row.batch_id,
    messageId: row.message_id,
    userIds: row.user_ids,
    deviceIds: row.device_ids,
    tickets: row.long_tickets ?? shortTickets(row.tickets),
    words: row.words,
    moments: row.moments,
    facts,
    isLonger: false,
    hasTickets: false,
  }
}

/** The tickets come as text, which the driver does not parse element by element. */
function shortTickets(text: string): string[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((ticket) => (ticket === NO_TICKET ? '' : ticket))
}

/**
 * Null: as it was. Tickets that are UUIDs take 16 bytes, and as many before there is one, so that a row keeps its
 * length.
 */
function toStored(ledger: Ledger) {
  const { deviceIds, tickets, words, isLonger, hasTickets } = ledger
  const isChanged = isLonger || hasTickets
  const areShort = tickets.every((ticket) => ticket === '' || (UUID.test(ticket) && ticket !== NO_TICKET))
  const { facts, moments } = withFewMoments(ledger)
  return {
    facts: Buffer.concat(FACTS.map((name) => facts[name])),
    deviceIds: isLonger ? int8Array(deviceIds) : null,
    tickets: isChanged ? `{${areShort ? tickets.map((ticket) => ticket || NO_TICKET).join(',') : ''}}` : null,
    longTickets: isChanged && !areShort ? textArray(tickets) : null,
    words: textArray(words),
    moments: textArray(moments.map((moment) => moment.toISOString())),
  }
}

/** Keeps the latest moments that some copy names. Earlier ones become the first kept. */
function withFewMoments({ facts, moments }: Ledger): Pick<Ledger, 'facts' | 'moments'> {
  const named = (['sent', 'settled', 'changed'] as const).map((name) => tally(facts[name], moments.length + 1))
  const used = Array.from(moments.keys(), (n) => n + 1).filter((place) => named.some((counts) => counts[place]! > 0))
  const kept = used.slice(-MOMENTS_MAX)
  if (kept.length === moments.length) return { facts, moments }
  const newPlaces = new Map(used.map((place) => [place, Math.max(kept.indexOf(place), 0) + 1]))
  const renamed = (places: Uint8Array) => places.map((place) => (place === 0 ? 0 : (newPlaces.get(place) ?? 0)))
  return {
    facts: { ...facts, sent: renamed(facts.sent), settled: renamed(facts.settled), changed: renamed(facts.changed) },
    moments: kept.map((place) => moments[place - 1]!),
  }
}

function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Spec: bulk batch size. */
export const USERS_PER_BATCH = 50

type NewBatch = { messageId: number; dueAt: Date; users: string; first: number | undefined; size: number }

type Selected = { messageId: number; userIds: number[]; dueAt: Date }

/** Tells the homes of users of their messages, and makes batches. */
export async function insertBatches(tx: Runner, sends: Selected[], now: Date): Promise<void> {
  const toHomes = (userIds: number[]) => new Set(userIds.map((userId) => toHome(tx, userId)))
  if (countHomes(tx) > 1)
    await tellHomesOf(tx, new Map(sends.map(({ messageId, userIds }) => [messageId, toHomes(userIds)])))
  await insertToldBatches(tx, sends, now)
}

/**
 * Users of messages, each once and in the order of ids, as batches of 50 of a home that wait to be decided. Their home
 * was told of each message. The first statement is written at once, so that of several together it is the first.
 */
export async function insertToldBatches(tx: Runner, sends: Selected[], now: Date): Promise<void> {
  const rows = sends.flatMap(({ messageId, userIds, dueAt }) => {
    const ordered = [...new Set(userIds)].toSorted((a, b) => a - b)
    return groupByHome(tx, ordered, (userId) => userId).flatMap(([home, people]) =>
      Array.from({ length: Math.ceil(people.length / USERS_PER_BATCH) }, (_, n) => {
        const own = people.slice(n * USERS_PER_BATCH, (n + 1) * USERS_PER_BATCH)
        return { home, messageId, dueAt, users: int8Array(own), first: own[0], size: own.length }
      }),
    )
  })
  for (const [home, own] of Map.groupBy(rows, (row) => row.home)) await insertBatchesOf(tx, home, own, now)
}

async function insertBatchesOf(tx: Runner, home: number, rows: readonly NewBatch[], now: Date): Promise<void> {
  const columns = { messageId: 'bigint', users: 'text' } as const
  const { rows: stored } = await sql<{ batchId: number }>`
    insert into batches (home, message_id, user_ids, first_user, created_at)
    ${valuesOr(
      sql`
        select ${home}, message_id, users::bigint[], (users::bigint[])[1], ${now}::timestamptz
        from ${asRows(rows, columns)} with ordinality as r(message_id, users, place) order by place`,
      tx,
      rows,
      ({ messageId, users, first }) => sql`(${home}, ${messageId}, ${users}, ${first}, ${now})`,
    )}
    returning batch_id as "batchId"`.execute(tx)
  await insertWork(
    tx,
    home,
    rows.map(({ messageId, dueAt, size }, n) => ({
      batchId: must(stored[n], 'batch of users').batchId,
      messageId,
      provider: null,
      places: Array.from({ length: size }, (_, place) => place),
      dueAt,
    })),
  )
}

/** Batches stay while their message has entries of single people, which a purge may have held. */
export async function deleteBatches(db: Db, home: number, step: DeleteStep): Promise<DeletedUpTo> {
  const { rows } = await sql<{ last: DeletedUpTo }>`
    with listed as materialized (
      select batch_id, created_at < ${step.before} as is_old,
        not exists (
          select from work w where w.home = ${home} and w.message_id = b.message_id and w.batch_id = b.batch_id)
        and not exists (select from entries e where e.home = ${home} and e.message_id = b.message_id)
        and ${wasOver(db, home, sql`b.message_id`, step.before)} as may_go
      from batches b where b.home = ${home} and batch_id > ${step.after} order by batch_id limit ${step.limit}),
    gone as (
      delete from batches
      where home = ${home} and batch_id in (select batch_id from listed where is_old and may_go) returning 1)
    select max(batch_id) as last from listed where is_old`.execute(db)
  return must(rows[0], 'last of the deleted batches').last
}
