import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { DeletedUpTo, DeleteStep } from '../records/old-messages.queries.ts'
import { valuesOr } from '../records/home.queries.ts'
import { listTraces } from '../records/messages.queries.ts'

/** A copy that was asked for: its answer counts only in this round. */
export type RequestedCopy = { batchId: number; place: number; round: number }

export type NewRequest = { messageIds: readonly number[]; copies: readonly RequestedCopy[] }

/** The copies of a batch become neighbours, in whatever order they were claimed. Gives the ids. */
export async function insertRequests(
  tx: Runner,
  { home, provider }: { home: number; provider: string },
  requests: readonly NewRequest[],
  times: { now: Date; leaseUntil: Date },
): Promise<number[]> {
  if (requests.length === 0) return []
  const rows = requests.map(({ messageIds, copies }) => {
    const byBatch = Map.groupBy(copies, ({ batchId }) => batchId)
    const stored = [...byBatch.values()].flat()
    return {
      messages: int8Array(messageIds),
      batches: int8Array([...byBatch.keys()]),
      sizes: int8Array(Array.from(byBatch.values(), ({ length }) => length)),
      places: int8Array(stored.map(({ place }) => place)),
      rounds: Buffer.from(stored.map(({ round }) => round)).toString('hex'),
    }
  })
  const columns = {
    messages: 'text',
    batches: 'text',
    sizes: 'text',
    places: 'text',
    rounds: 'text',
  } as const
  const { rows: stored } = await sql<{ request_id: number }>`
    insert into requests (home, provider, message_ids, batch_ids, sizes, places, rounds, started_at, lease_until)
    ${valuesOr(
      sql`
        select ${home}, ${provider}, messages::bigint[], batches::bigint[], sizes::smallint[], places::smallint[],
          decode(rounds, 'hex'), ${times.now}::timestamptz, ${times.leaseUntil}::timestamptz
        from ${asRows(rows, columns)} with ordinality as r(messages, batches, sizes, places, rounds, n) order by n`,
      tx,
      rows,
      ({ messages, batches, sizes, places, rounds }) => sql`
        (${home}, ${provider}, ${messages}, ${batches}, ${sizes}, ${places}, decode(${rounds}, 'hex'), ${times.now},
          ${times.leaseUntil})`,
    )}
    returning request_id`.execute(tx)
  return stored.map((row) => row.request_id)
}

type Held = { batch_ids: number[]; sizes: number[]; places: number[]; rounds: Buffer }

const HELD = sql`r.batch_ids, r.sizes, r.places, r.rounds`

function readRequestedCopies({ batch_ids, sizes, places, rounds }: Held): RequestedCopy[] {
  const batches = batch_ids.flatMap((batchId, n) => Array<number>(sizes[n] ?? 0).fill(batchId))
  return places.map((place, n) => ({
    batchId: must(batches[n], 'batch of a request'),
    place,
    round: must(rounds[n], 'round of a request'),
  }))
}

/** `outcome` null: the request is still open. */
export type RequestResult = {
  requestId: number
  outcome: 'accepted' | 'refused' | 'unknown' | null
  code: string | null
  nextReceiptAt: Date | null
}

const RESULT = { requestId: 'bigint', outcome: 'text', code: 'text', nextReceiptAt: 'timestamptz' } as const

/** A late answer replaces `unknown`. Gives the ids that exist: the others were lost, and an id may come again since. */
export async function settleRequests(
  tx: Runner,
  { home, startedAt }: { home: number; startedAt: Date },
  results: readonly RequestResult[],
  now: Date,
): Promise<Set<number>> {
  if (results.length === 0) return new Set()
  const { rows } = await sql<{ request_id: number }>`
    with answered as (
      select * from ${asRows(results, RESULT)} as r(request_id, outcome, code, next_receipt_at)),
    settled as (
      update requests s set outcome = r.outcome, code = r.code, settled_at = ${now}, next_receipt_at = r.next_receipt_at
      from answered r
      where s.home = ${home} and s.request_id = r.request_id and s.started_at = ${startedAt}
        and r.outcome is not null and (s.outcome is null or s.outcome = 'unknown'))
    select s.request_id from requests s join answered r on s.home = ${home} and s.request_id = r.request_id
    where s.started_at = ${startedAt}`.execute(tx)
  return new Set(rows.map((row) => row.request_id))
}

export type AbandonedRequest = { requestId: number; provider: string; leaseUntil: Date; copies: RequestedCopy[] }

/** Requests whose lease is over, with ids above `after`, are called unknown from now on. */
export async function abandonRequests(
  tx: Tx,
  home: number,
  { after, limit }: { after: number; limit: number },
  now: Date,
): Promise<AbandonedRequest[]> {
  const { rows } = await sql<Held & Omit<AbandonedRequest, 'copies'>>`
    with over as (
      select request_id from requests
      where home = ${home} and outcome is null and lease_until < ${now} and request_id > ${after}
      order by request_id limit ${limit} for update skip locked)
    update requests r set outcome = 'unknown', code = 'OutcomeUnknown', settled_at = ${now} from over
    where r.home = ${home} and r.request_id = over.request_id
    returning r.request_id as "requestId", r.provider, r.lease_until as "leaseUntil", ${HELD}`.execute(tx)
  return rows.map(({ requestId, provider, leaseUntil, ...held }) => ({
    requestId,
    provider,
    leaseUntil,
    copies: readRequestedCopies(held),
  }))
}

/** What open requests asked for. */
export async function lockOpenCopies(tx: Tx, home: number): Promise<RequestedCopy[]> {
  const { rows } = await sql<Held>`
    select ${HELD} from requests r where r.home = ${home} and outcome is null order by request_id for update`.execute(
    tx,
  )
  return rows.flatMap(readRequestedCopies)
}

export type DueRequest = {
  requestId: number
  startedAt: Date
  /** When its receipts were due before they were claimed. */
  dueAt: Date
  /** Nobody has asked before. */
  isFirst: boolean
  copies: RequestedCopy[]
}

type ReceiptsClaim = {
  home: number
  provider: string
  now: Date
  until: Date
  tickets: number
  dueOnly: boolean
  roundStart: Date
}

/**
 * Claims the first requests of a home that together hold up to `tickets` copies, answered ones too, or the first alone;
 * their next question moves to `until`. Without `dueOnly` it claims all that were not asked about since `roundStart`.
 */
export async function claimDueReceipts(db: Db, claim: ReceiptsClaim): Promise<DueRequest[]> {
  const { home } = claim
  const isDue = claim.dueOnly
    ? sql`next_receipt_at <= ${claim.now}`
    : sql`next_receipt_at is not null and (receipts_asked_at is null or receipts_asked_at < ${claim.roundStart})`
  const inOrder = sql`
    from requests where home = ${home} and ${isDue} and provider = ${claim.provider}
    order by next_receipt_at, request_id`
  const fits = sql`filled <= ${claim.tickets} or filled = copies`
  // They are counted before any is locked, because a thousand locks would cost more than the ten requests that a
  // campaign needs. They are counted again afterwards, because where another worker holds some, others were locked.
  const { rows } = await sql<Held & Omit<DueRequest, 'copies'>>`
    with first as (
      select next_receipt_at, request_id, cardinality(places) as copies ${inOrder} limit ${claim.tickets}),
    filling as (
      select count(*) as n from (
        select copies, sum(copies) over (order by next_receipt_at, request_id) as filled from first) f
      where ${fits}),
    held as (
      select request_id, next_receipt_at as due_at, receipts_asked_at is null as is_first, cardinality(places) as copies
      ${inOrder} limit (select n from filling) for update skip locked),
    due as (
      select * from (select *, sum(copies) over (order by due_at, request_id) as filled from held) h where ${fits}),
    claimed as (
      update requests r set next_receipt_at = ${claim.until}, receipts_asked_at = ${claim.now}
      where r.home = ${home} and r.request_id = any(array(select request_id from due))
      returning r.request_id, r.started_at, ${HELD})
    select c.request_id as "requestId", c.started_at as "startedAt", d.due_at as "dueAt", d.is_first as "isFirst",
      c.batch_ids, c.sizes, c.places, c.rounds
    from claimed c join due d using (request_id) order by d.due_at, c.request_id`.execute(db)
  return rows.map(({ batch_ids, sizes, places, rounds, ...due }) => ({
    ...due,
    copies: readRequestedCopies({ batch_ids, sizes, places, rounds }),
  }))
}

/** `at` null: never, all its receipts are stored. */
export async function scheduleReceipts(
  tx: Tx,
  home: number,
  next: readonly { requestId: number; at: Date | null }[],
): Promise<void> {
  if (next.length === 0) return
  await sql`
    update requests s set next_receipt_at = r.at
    from ${asRows(next, { requestId: 'bigint', at: 'timestamptz' })} as r(request_id, at)
    where s.home = ${home} and s.request_id = r.request_id`.execute(tx)
}

/** A request has the trace of its first message. */
export async function listTracesOfRequests(db: Db, home: number, requestIds: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ message_id: number }>`
    select s.message_ids[1] as message_id from requests s
    where s.home = ${home} and s.request_id = any(${int8Array(requestIds)}::bigint[])`.execute(db)
  return listTraces(db, [...new Set(rows.map((row) => row.message_id))])
}

export async function deleteRequests(db: Db, home: number, step: DeleteStep): Promise<DeletedUpTo> {
  const { rows } = await sql<{ last: DeletedUpTo }>`
    with listed as materialized (
      select request_id, started_at < ${step.before} as is_old, outcome is not null
        and next_receipt_at is null as may_go
      from requests where home = ${home} and request_id > ${step.after} order by request_id limit ${step.limit}),
    gone as (
      delete from requests
      where home = ${home} and request_id in (select request_id from listed where is_old and may_go) returning 1)
    select max(request_id) as last from listed where is_old`.execute(db)
  return must(rows[0], 'last of the deleted requests').last
}
