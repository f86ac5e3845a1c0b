import { createHash } from 'node:crypto'
import type { PostgresPoolClient } from 'kysely'
import type { PoolClient, QueryResultRow } from 'pg'
import { queryBuilder, type Db, type DbPool } from './connect.ts'
import { timed, type StatementListener } from '../statements/statements.ts'
import { isStalePlan, markPipelined } from './transaction.ts'

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

type Options = { ran?: StatementListener; often?: number; now?: () => number }

/**
 * Two builders of statements on a pool, which prepare what comes often (from the fifth time on), because planning is a
 * third of what PostgreSQL does for a call of the app (docs/benchmarks.md). Behind a pooler in transaction mode they
 * prepare nothing. Plans are made anew after ten seconds, because a table that was empty may have a million rows by
 * then. Connections of `pipelined` send a statement before the one before is answered; those of `db` wait for each
 * answer, and some work needs that. `now`: milliseconds of a clock that never jumps.
 */
export function buildersOn(
  pool: DbPool,
  { ran, often = OFTEN, now = () => performance.now() }: Options = {},
): { db: Db; pipelined: Db } {
  const findName = pool.pooling === 'session' ? countTexts(often) : () => undefined
  const plannedAt = new WeakMap<PoolClient, number>()
  const lend = async (pipeline: boolean) => {
    const client = await pool.connect()
    if (pool.pooling === 'session' && now() - (plannedAt.get(client) ?? 0) >= PLANS_KEPT_MS) {
      plannedAt.set(client, now())
      await forgetPlans(client)
    }
    return preparing(client, findName, pipeline)
  }
  const build = (pipeline: boolean) =>
    queryBuilder({ options: pool.options, end: () => pool.end(), connect: () => lend(pipeline) }, ran, pool)
  return { db: build(false), pipelined: markPipelined(build(true)) }
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
function countTexts(often: number): (text: string) => string | undefined {
  const calls = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === PREPARED_MAX) return known
    if (calls.size === TEXTS_MAX) calls.clear()
    const count = (calls.get(text) ?? 0) + 1
    calls.set(text, count)
    if (count === often) names.set(text, createHash('sha1').update(text).digest('base64url'))
    return names.get(text)
  }
}

/**
 * A prepared statement fails after a migration that changed its columns: it runs once more as a plain one, and its
 * connection is closed then. In a transaction, which has failed, it throws, and `inTransaction` begins anew.
 */
function preparing(
  client: PoolClient,
  findName: (text: string) => string | undefined,
  pipeline: boolean,
): PostgresPoolClient {
  let isStale = false
  const query = async (text: string, values: unknown[]) => {
    const name = values.length > 0 ? findName(text) : undefined
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      isStale = true
      return client.query(text, values).catch(() => Promise.reject(error))
    }
  }
  // Others of the pool are not in this mode: with all of them in it, calls waited for three seconds.
  Object.assign(client, { pipeline })
  const release = () => {
    Object.assign(client, { pipeline: false })
    client.release(isStale)
  }
  return { query, release } as unknown as PostgresPoolClient
}
