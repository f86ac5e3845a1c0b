import { sql, type RawBuilder } from 'kysely'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import {
  countHomes,
  expectHeard,
  inPart,
  isServerAway,
  listHomesAway,
  listHomesBeside,
} from '../../platform/db/homes.ts'
import type { Work } from '../../platform/work/work.ts'

type Source = Parameters<typeof countHomes>[0]

/** Where a row is about `size` users with neighbouring ids: `block` is its number, `place` the user's in it, from 0. */
function createBlocks(size: number) {
  return {
    size,
    toBlock: (userId: number) => Math.floor(userId / size),
    toPlace: (userId: number) => userId % size,
    /** The expression is a `bigint`. */
    blockSql: (userId: string) => `(${userId} / ${size})`,
    placeSql: (userId: string) => `(${userId} % ${size})::int`,
  }
}

// The migration has the same sizes: the first for `unread` and `skips`, the second for `bulk_entries`.
export const { size: BLOCK_SIZE, toBlock, toPlace, blockSql, placeSql } = createBlocks(64)
export const BULK_BLOCKS = createBlocks(512)

/** Where all is that the ledger and the inbox have of a person. A block of 512 people has one home (ADR 2). */
export function toHome(source: Source, userId: number): number {
  return BULK_BLOCKS.toBlock(userId) % countHomes(source)
}

/** The same for what the coordinator is asked. Throws where its server is silent. */
export function toHeardHome(source: Source, userId: number): number {
  const home = toHome(source, userId)
  expectHeard(source, home)
  return home
}

/** Whether this change found the server of a person's home away. */
export function isPersonAway({ tx, isAway }: Pick<Work, 'tx' | 'isAway'>, userId: number): boolean {
  return isAway(toHome(tx, userId))
}

export function listHomes(source: Source): number[] {
  return [...Array(countHomes(source)).keys()]
}

/** From any home on, so that each gets its turn. */
export function listHomesInTurn(source: Source): number[] {
  const homes = listHomes(source)
  const first = Math.floor(Math.random() * homes.length)
  return [...homes.slice(first), ...homes.slice(0, first)]
}

/**
 * Works home by home, from any on. A home whose server does not answer holds up no other: the first error is thrown at
 * the end.
 */
export async function eachHome(source: Runner, work: (home: number) => Promise<unknown>): Promise<void> {
  const errors = await walkHomes(source, async (home) => {
    await work(home)
    return false
  })
  if (errors.length > 0) throw errors[0]
}

/**
 * Visits homes, from any on, until a visit gives true, and gives the errors. What waited for a server that is away
 * waits once: the other homes of that server are left out.
 */
export async function walkHomes(source: Runner, visit: (home: number) => Promise<boolean>): Promise<unknown[]> {
  const errors: unknown[] = []
  const away = new Set<number>()
  for (const home of listHomesInTurn(source)) {
    if (away.has(home)) continue
    try {
      expectHeard(source, home)
      if (await visit(home)) break
    } catch (error) {
      errors.push(error)
      if (!isServerAway(source, error)) continue
      for (const beside of await listHomesTogether(source, home)) away.add(beside)
    }
  }
  return errors
}

/** The homes on the server of this one; all where the catalog may not be read. */
export function listHomesTogether(source: Runner, home: number): Promise<number[]> {
  return listHomesBeside(source, home).catch(() => listHomes(source))
}

/** In the order of homes. */
export function groupByHome<One>(
  source: Source,
  all: readonly One[],
  toUser: (one: One) => number,
): [home: number, own: One[]][] {
  return [...Map.groupBy(all, (one) => toHome(source, toUser(one)))].toSorted(([a], [b]) => a - b)
}

/** For statements that read all homes; of a database with one home they name that. Throws while a server is silent. */
export function everyHome(source: Source): RawBuilder<unknown> {
  expectHeard(source)
  return theseHomes(listHomes(source))
}

export function theseHomes(homes: readonly number[]): RawBuilder<unknown> {
  return sql.raw(`(${homes.join(', ')})`)
}

/**
 * What `read` finds in all homes but those whose server is away, which are `lost`: the caller says so beside a smaller
 * sum.
 */
export async function readHeardHomes<T>(
  source: Db | Tx,
  read: (homes: readonly number[]) => Promise<T>,
): Promise<{ found: T; lost: number[] }> {
  const lost = new Set<number>()
  for (;;) {
    const homes = listHomes(source).filter((home) => !lost.has(home))
    try {
      for (const home of homes) expectHeard(source, home)
      return { found: await inPart(source, () => read(homes)), lost: [...lost] }
    } catch (error) {
      const away = isServerAway(source, error) ? await listHomesAway(source, error) : []
      if (away.every((home) => lost.has(home))) throw error
      for (const home of away) lost.add(home)
      if (lost.size === countHomes(source)) throw error
    }
  }
}

/** Messages as the home has them, without what the coordinator alone knows: their status, and when they wake. */
export function messagesIn(source: Source, home: number): RawBuilder<unknown> {
  return sql.raw(countHomes(source) === 1 ? 'messages' : messagesTextIn(String(home)))
}

/** Messages of a home as text of SQL. `home` is a number, or a parameter such as `$3`. */
export function messagesTextIn(home: string): string {
  return `(select * from home_messages where home = ${home})`
}

/** The home of people whom the statement itself finds. */
export function homeSql(source: Source, userId: string): RawBuilder<unknown> {
  const homes = countHomes(source)
  return sql.raw(homes === 1 ? '0' : `(${BULK_BLOCKS.blockSql(userId)} % ${homes})`)
}

// To plan more values costs Citus as much as the file that it writes for a select.
const VALUES_MAX = 10

/** What to insert: Citus hands on values with the statement, and what it selects through a file. */
export function valuesOr<Row>(
  select: RawBuilder<unknown>,
  source: Source,
  rows: readonly Row[],
  toValues: (row: Row) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (countHomes(source) === 1 || rows.length > VALUES_MAX) return select
  return sql`values ${sql.join(rows.map(toValues))}`
}

/**
 * The rows of all homes, read before they are joined with people, who have none. Throws while a server is silent, as
 * does `peopleOfHomes`.
 */
export function unionOfHomes(source: Source, select: (home: number) => RawBuilder<unknown>): RawBuilder<unknown> {
  expectHeard(source)
  const homes = listHomes(source)
  if (homes.length === 1) return select(0)
  const each = homes.map((home) => sql`(${select(home)})`)
  return sql`with each as materialized (${sql.join(each, sql` union all `)}) select * from each`
}

type Ids = RawBuilder<{ user_id: number }>

/** People in the order of ids, up to `limit`, from a statement that gives them so for each home. */
export function peopleOfHomes(source: Source, limit: number, select: (home: number) => Ids): Ids {
  expectHeard(source)
  const homes = listHomes(source)
  if (homes.length === 1) return select(0)
  const each = homes.map((home) => sql`(${select(home)})`)
  return sql`select user_id from (${sql.join(each, sql` union all `)}) people order by user_id limit ${limit}`
}
