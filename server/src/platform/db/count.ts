import { sql, type RawBuilder } from 'kysely'
import { inOneMessage, unlessTooLong, type Message, type Source } from './one-message.ts'
import { must } from '../shared/must.ts'

const EXACT_UP_TO = 100_000
const SURELY_MORE = 130_000
const PATIENCE_MS = 150

export type Counted = { total: number; isEstimate: boolean }

/** Exact up to 100,000 within `patienceMs`, else the planner's estimate. */
export async function countOrEstimate(
  source: Source,
  rows: RawBuilder<unknown>,
  { patienceMs = PATIENCE_MS, estimated, plans }: Message & { estimated?: number } = {},
): Promise<Counted> {
  const guess = estimated ?? must((await estimateEach(source, [rows]))[0], 'estimate')
  if (guess > SURELY_MORE) return { total: guess, isEstimate: true }
  const counting = sql`select count(*) as n from (${rows} limit ${EXACT_UP_TO + 1}) t`
  const counted = await countInTime(source, counting, { name: 'countUpTo', patienceMs, ...(plans && { plans }) })
  if (counted !== undefined && counted <= EXACT_UP_TO) return { total: counted, isEstimate: false }
  return { total: Math.max(counted ?? 0, guess), isEstimate: true }
}

/** What the statement gives as `n`; undefined if it takes too long. */
export async function countInTime(
  source: Source,
  counting: RawBuilder<unknown>,
  { patienceMs = PATIENCE_MS, ...options }: Message,
): Promise<number | undefined> {
  const counted = await unlessTooLong(inOneMessage(source, [counting], { patienceMs, ...options }))
  return (counted?.[0] as { n: number }[] | undefined)?.[0]?.n
}

export async function estimateEach(source: Source, queries: RawBuilder<unknown>[]): Promise<number[]> {
  const plans = await inOneMessage(
    source,
    queries.map((rows) => sql`explain (format json) ${rows}`),
    { name: 'estimateEach' },
  )
  return plans.map((rows) => {
    const [plan] = rows as { 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]
    return must(plan?.['QUERY PLAN'][0], 'plan of a statement').Plan['Plan Rows']
  })
}
