import { sql, type RawBuilder } from 'kysely'

/** A fragment of SQL for the generators. */
export type Sql = RawBuilder<unknown>

const BITS = 4_294_967_296

/**
 * A number of [0, 1) that is always the same for the same purpose and key (a bigint), and looks like chance: the hash
 * that PostgreSQL keeps stable for its partitions.
 */
export function draw(purpose: string, key: Sql): Sql {
  return sql`((hashint8extended((${key})::bigint,
    ${sql.lit(toSeed(purpose))}) & ${sql.lit(BITS - 1)}) / ${sql.lit(BITS)}::float8)`
}

/** A duration or amount of this mean, mostly small and sometimes large (exponential). */
export function spread(purpose: string, key: Sql, mean: number): Sql {
  return sql`(-ln(1 - ${draw(purpose, key)}) * ${sql.lit(mean)}::float8)`
}

/** One of the texts of an array. */
export function pick(purpose: string, key: Sql, texts: readonly string[]): Sql {
  return sql`(${[...texts]}::text[])[1 + floor(${draw(purpose, key)} * ${sql.lit(texts.length)})::int]`
}

/** The index, from 1, of one of `count`. */
export function pickIndex(purpose: string, key: Sql, count: number): Sql {
  return sql`(1 + floor(${draw(purpose, key)} * ${sql.lit(count)})::int)`
}

export function hours(amount: Sql): Sql {
  return sql`make_interval(secs => 3600 * (${amount}))`
}

/** The year that is filled: from `start` on, in days since the epoch before the rhythm is laid over them. */
export type Year = { start: number; span: number; now: Date }

const DAYS = 365
const DAY_MS = 86_400_000
// How far the rhythm moves a moment: of a day (busiest in the evening), and of a week (busiest on Sunday).
const DAILY = 0.1
const WEEKLY = 0.245

/** The year that ends `now`. */
export function yearUntil(now: Date): Year {
  const end = now.getTime() / DAY_MS
  let [low, high] = [end - 1, end + 1]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (withRhythm(middle) < end) low = middle
    else high = middle
  }
  return { start: low - DAYS, span: DAYS, now }
}

function withRhythm(day: number): number {
  const moved = day + WEEKLY * Math.sin((2 * Math.PI * day) / 7)
  return moved + DAILY * Math.sin(2 * Math.PI * (moved - 0.3))
}

/**
 * The moment at which `share` (of 0 to 1) of all that happens in the year has happened: ever more happens a week, most
 * of it in the evening and at the weekend. It rises with `share`, so what comes first in order comes first in time.
 */
export function chooseMoment(share: Sql, year: Year): Sql {
  const day = sql`(${sql.lit(year.start)}::float8 + ${sql.lit(year.span)}::float8 * (sqrt(0.16 + 2.4 * (${share})) - 0.4) / 1.2)`
  return sql`least(to_timestamp(floor(86400 * ${inDay(inWeek(day))})), ${sql.lit(year.now.toISOString())}::timestamptz)`
}

/** Days since the epoch, moved to where in the week things happen. */
export function inWeek(day: Sql): Sql {
  return sql`(${day} + ${sql.lit(WEEKLY)}::float8 * sin(2 * pi() * ${day} / 7))`
}

function inDay(day: Sql): Sql {
  return sql`(${day} + ${sql.lit(DAILY)}::float8 * sin(2 * pi() * (${day} - 0.3)))`
}

function toSeed(purpose: string): number {
  let hash = 2_166_136_261
  for (const letter of purpose) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return hash
}
