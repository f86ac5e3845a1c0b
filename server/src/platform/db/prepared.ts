import { createHash } from 'node:crypto'
import type { PostgresPoolClient } from 'kysely'
import type { PoolClient, QueryResultRow } from 'pg'
import type { DbPool } from './connect.ts'
import { timed } from '../statements/statements.ts'
import { isStalePlan } from './transaction.ts'

export type Prepared = { name: string; text: string; values: unknown[] }

/** Planned once for each connection; behind a pooler in transaction mode each time, as the session changes. */
export async function runPrepared<Row extends QueryResultRow>(pool: DbPool, statement: Prepared): Promise<Row[]> {
  const { name, text, values } = statement
  const prepared = pool.pooling === 'session' ? statement : { text, values }
  const { rows } = await timed(pool, name, () => pool.query<Row>(prepared))
  return rows
}

const OFTEN = 5
const TEXTS_MAX = 1_000
const PREPARED_MAX = 300
const PLANS_KEPT_MS = 10_000

/**
 * A pool that prepares the statements which come often: for work that repeats the same few, of whose cost in PostgreSQL
 * planning is a fifth (docs/benchmarks.md). Behind a pooler in transaction mode it prepares nothing. Plans are made
 * anew after ten seconds, because a table that was empty may have a million rows by then. `now`: milliseconds of a
 * clock that never jumps.
 */
export function preparingRepeated(pool: DbPool, now: () => number = () => performance.now()) {
  const findName = countTexts()
  const plannedAt = new WeakMap<PoolClient, number>()
  const connect = async () => {
    const client = await pool.connect()
    if (pool.pooling !== 'session') return preparing(client, () => undefined)
    if (now() - (plannedAt.get(client) ?? 0) >= PLANS_KEPT_MS) {
      plannedAt.set(client, now())
      await forgetPlans(client)
    }
    return preparing(client, findName)
  }
  return {
    options: pool.options,
    end: () => pool.end(),
    connect,
  }
}

async function forgetPlans(client: PoolClient): Promise<void> {
  try {
    await client.query('discard plans')
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Gives a name to a text that came often, as long as there are few such texts. */
function countTexts(): (text: string) => string | undefined {
  const calls = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === PREPARED_MAX) return known
    if (calls.size === TEXTS_MAX) calls.clear()
    const count = (calls.get(text) ?? 0) + 1
    calls.set(text, count)
    if (count === OFTEN) names.set(text, createHash('sha1').update(text).digest('base64url'))
    return names.get(text)
  }
}

/** A prepared statement may fail after a migration, as its columns are others. Its connection is closed then. */
function preparing(client: PoolClient, findName: (text: string) => string | undefined): PostgresPoolClient {
  let isStale = false
  const query = async (text: string, values: unknown[]) => {
    const name = values.length > 0 ? findName(text) : undefined
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      isStale ||= isStalePlan(error)
      throw error
    }
  }
  // It is on only while the connection is lent for this: others of the pool wait for each answer, and some need that.
  Object.assign(client, { pipeline: true })
  const release = () => {
    Object.assign(client, { pipeline: false })
    client.release(isStale)
  }
  return { query, release } as unknown as PostgresPoolClient
}
