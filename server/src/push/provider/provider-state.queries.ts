import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { BreakerState } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import type { Climb } from './provider.ts'

export type ProviderState = Selectable<Tables['provider_state']>

const IS_BY_HAND = sql.raw(`(breaker = 'halted' and breaker_code is not distinct from 'HaltedByHand')`)

export async function addProviders(db: Db, names: string[]): Promise<void> {
  await sql`
    insert into provider_state (provider) select unnest(${names}::text[])
    on conflict (provider) do nothing`.execute(db)
}

/** All that were ever configured, also where this process has other settings. */
export async function listProviderNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('provider_state').select('provider').orderBy('provider').execute()
  return rows.map(({ provider }) => provider)
}

export async function findProviderState(db: Db | Tx, provider: string): Promise<ProviderState> {
  return db.selectFrom('provider_state').selectAll().where('provider', '=', provider).executeTakeFirstOrThrow()
}

export async function lockProviderState(tx: Tx, provider: string): Promise<ProviderState> {
  const [state] = await lockProviderStates(tx, [provider])
  return must(state, 'state of a provider')
}

/** Locked in the order of their names; all of them where no `providers` are named. */
export async function lockProviderStates(tx: Tx, providers?: string[]): Promise<ProviderState[]> {
  const all = tx.selectFrom('provider_state').selectAll().orderBy('provider').forUpdate()
  return (providers === undefined ? all : all.where('provider', 'in', providers)).execute()
}

/**
 * Removals hold the lock beside one another, an alert alone, until the end of the transaction. It is not a lock on the
 * row, because the pace of every request updates that.
 */
export async function lockRemovals(tx: Tx, provider: string, mode: 'shared' | 'alone'): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${lock}(hashtextextended(${`removals:${provider}`}, 0))`.execute(tx)
}

export async function updateProviderState(
  db: Db | Tx,
  provider: string,
  changes: Partial<ProviderState>,
): Promise<void> {
  await db.updateTable('provider_state').set(changes).where('provider', '=', provider).execute()
}

/** Only one process gets true; `until` frees the trial again if it dies. */
export async function claimTrial(db: Db, provider: string, now: Date, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('provider_state')
    .set({ breaker: 'half_open', retry_at: until })
    .where('provider', '=', provider)
    .where('breaker', 'in', ['open', 'half_open'])
    .where('retry_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type PaceRequest = {
  now: Date
  pushes: number
  ratePerSecond: number
  aheadMs: number
  catchUpMs: number
  climb?: Climb | undefined
}

const CLIMB_SECONDS = 30
/** The share of the rate after the breaker closed. */
const FIRST_SHARE = 0.1

/** Undefined: not free yet. The rate is halved after a 429, and climbs from a tenth after the breaker closed. */
export async function takeFromPace(
  db: Db,
  provider: string,
  { now, pushes, ratePerSecond, aheadMs, catchUpMs, climb }: PaceRequest,
): Promise<Date | undefined> {
  // The clock had jumped ahead, and is right again.
  const isTooFar = sql`pace_free_at > ${now}::timestamptz + interval '1 hour'`
  const { seconds = CLIMB_SECONDS } = climb ?? {}
  const height = measureHeight({ now, ratePerSecond, catchUpMs, climb })
  const rampFrom = climb === undefined ? sql`ramp_from` : sql`${now}::timestamptz - make_interval(secs => ${height})`
  const { rows } = await sql<{ pace_free_at: Date }>`
    update provider_state
    set ramp_from = ${rampFrom},
      pace_free_at = greatest(
        case when ${isTooFar} then ${now} else pace_free_at end,
          ${now}::timestamptz - make_interval(secs => ${catchUpMs / 1000}::float8))
      + make_interval(secs => ${pushes / ratePerSecond}::float8
          * case when slow_until > ${now} then 2 else 1 end
          / least(1, greatest(0, ${height}) / ${seconds}::float8 * (1 - ${FIRST_SHARE}::float8) + ${FIRST_SHARE}::float8))
    where provider = ${provider}
      and (pace_free_at <= ${now}::timestamptz + make_interval(secs => ${aheadMs / 1000}::float8) or ${isTooFar})
    returning pace_free_at`.execute(db)
  return rows[0]?.pace_free_at
}

type Climbing = Pick<PaceRequest, 'now' | 'ratePerSecond' | 'catchUpMs' | 'climb'>

/**
 * Seconds of the climb that are behind. In a climb that goes back each second in which nothing was taken costs one, but
 * none of those up to `from`.
 */
function measureHeight({ now, ratePerSecond, catchUpMs, climb }: Climbing) {
  const age = sql`extract(epoch from ${now}::timestamptz - ramp_from)::float8`
  if (climb === undefined) return age
  const { from, seconds } = climb
  const least = ((from / ratePerSecond - FIRST_SHARE) / (1 - FIRST_SHARE)) * seconds
  const unused = sql`extract(epoch from ${now}::timestamptz - pace_free_at)::float8 - ${catchUpMs / 1000}::float8`
  const rest = sql`greatest(0, least(${age}, ${unused}))`
  const before = sql`least(${seconds}::float8, ${age} - ${rest})`
  return sql`greatest(0, ${before} - ${rest}, least(${before}, ${least}::float8))`
}

/** Gives back what a request reserved but did not use; takes when negative. */
export async function returnToPace(db: Db, provider: string, pushes: number, ratePerSecond: number): Promise<void> {
  await sql`
    update provider_state
    set pace_free_at = pace_free_at - make_interval(secs => ${pushes / ratePerSecond}::float8)
    where provider = ${provider}`.execute(db)
}

/** Answers of requests that were made together come in any order: none shortens the wait that another asked for. */
export async function postponeSending(
  db: Db,
  provider: string,
  { busyUntil, slowUntil }: { busyUntil: Date; slowUntil: Date },
): Promise<void> {
  await sql`
    update provider_state
    set busy_until = greatest(busy_until, ${busyUntil}), slow_until = greatest(slow_until, ${slowUntil})
    where provider = ${provider}`.execute(db)
}

export const HALTED_BY_HAND = 'HaltedByHand'

/** False: resumed since `aboutAt`, the moment of the fault (decisions B11, B13). A halt by hand keeps its code. */
export async function haltUnlessResumed(
  db: Db | Tx,
  provider: string,
  halt: { code: string; now: Date; aboutAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('provider_state')
    .set({
      breaker: 'halted',
      breaker_code: sql`case when ${IS_BY_HAND} then breaker_code else ${halt.code} end`,
      breaker_since: sql`case when ${IS_BY_HAND} then breaker_since else ${halt.now}::timestamptz end`,
      retry_at: null,
    })
    .where('provider', '=', provider)
    .where('resumed_at', '<=', halt.aboutAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** `by` null: an operator's command. */
export type HandHalt = { by: number | null; reason: string; now: Date }

/** Returns those it halted; one that a person has already halted does not change. */
export async function haltProvidersByHand(
  tx: Tx,
  providers: string[],
  { by, reason, now }: HandHalt,
): Promise<string[]> {
  const rows = await tx
    .updateTable('provider_state')
    .set({
      breaker: 'halted',
      breaker_code: HALTED_BY_HAND,
      breaker_since: now,
      retry_at: null,
      halted_by: by,
      halt_reason: reason,
    })
    .where('provider', 'in', providers)
    .where(sql<boolean>`not ${IS_BY_HAND}`)
    .returning('provider')
    .execute()
  return rows.map(({ provider }) => provider).toSorted()
}

export type HaltedBy = { user_id: number | null; name: string | null; reason: string }

export async function findHandHalt(db: Db, provider: string): Promise<HaltedBy | undefined> {
  const { rows } = await sql<HaltedBy>`
    select u.user_id, u.name, p.halt_reason as reason
    from provider_state p left join users u on u.user_id = p.halted_by
    where p.provider = ${provider} and ${IS_BY_HAND} and p.halt_reason is not null`.execute(db)
  return rows[0]
}

/** Gives since when each halted provider is halted. */
export async function findHalts(db: Db): Promise<Date[]> {
  const { rows } = await sql<{ since: Date }>`
    select coalesce(breaker_since, resumed_at) as since from provider_state where breaker = 'halted'`.execute(db)
  return rows.map(({ since }) => since)
}

/** Works with the schema of any version. */
export async function haltProviders(db: Db | Tx, code: string, now: Date): Promise<void> {
  await db
    .updateTable('provider_state')
    .set({ breaker: 'halted', breaker_code: code, breaker_since: now, retry_at: null })
    .execute()
}

/** Each state is listed once, whichever of the providers has it. */
export async function listBreakers(db: Db, providers: string[]): Promise<BreakerState[]> {
  const states = db.selectFrom('provider_state').select('breaker').where('provider', 'in', providers)
  const rows = await states.distinct().execute()
  return rows.map(({ breaker }) => breaker)
}

export async function isAnyHaltedAs(db: Db, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('provider_state')
    .select('provider')
    .where('breaker_code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}

/** Sums the last two halves of about `half` results; undefined: not counted, as sending was resumed since `leftAt`. */
export async function countResults(
  db: Db,
  provider: string,
  { results, gone, leftAt, half }: { results: number; gone: number; leftAt: Date; half: number },
): Promise<{ results: number; gone: number } | undefined> {
  const { rows } = await sql<{ results: number; gone: number }>`
    update provider_state set
      earlier_results = case when results >= ${half} then results else earlier_results end,
      earlier_gone = case when results >= ${half} then results_gone else earlier_gone end,
      results = case when results >= ${half} then 0 else results end + ${results},
      results_gone = case when results >= ${half} then 0 else results_gone end + ${gone}
    where provider = ${provider} and resumed_at <= ${leftAt}
    returning results + earlier_results as results, results_gone + earlier_gone as gone`.execute(db)
  return rows[0]
}
