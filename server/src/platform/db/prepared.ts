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
 * Two builders of statements on a pool, which prepare what comes often (five times in ten seconds), because planning is
 * a third of what PostgreSQL does for a call of the app (docs/benchmarks.md). Behind a pooler in transaction mode they
 * prepare nothing. Plans are made anew after ten seconds, because a table that was empty may have a million rows by
 * then. Connections of `pipelined` send a statement before the one before is answered; those of `db` wait for each
 * answer, and some work needs that. `now`: milliseconds of a clock that never jumps.
 */
export function buildersOn(
  pool: DbPool,
  { ran, often = OFTEN, now = () => performance.now() }: Options = {},
): { db: Db; pipelined: Db } {
  const plannedAt = new WeakMap<PoolClient, number>()
  const lend = async (names: Names, pipeline: boolean) => {
    const client = await pool.connect()
    if (pool.pooling !== 'session') return lent(client, undefined, pipeline)
    if (now() - (plannedAt.get(client) ?? 0) >= PLANS_KEPT_MS) {
      plannedAt.set(client, now())
      await forgetPlans(client)
    }
    return lent(client, names, pipeline)
  }
  // A plan is made under the planner settings of its first caller. Lanes have other settings than the API, so the two
  // must not share the name of a statement.
  const build = (kind: string, pipeline: boolean) => {
    const names = createNames(kind, { often, now })
    return queryBuilder(
      { options: pool.options, end: () => pool.end(), connect: () => lend(names, pipeline) },
      ran,
      pool,
    )
  }
  return { db: build('d', false), pipelined: markPipelined(build('p', true)) }
}

async function forgetPlans(client: PoolClient): Promise<void> {
  try {
    await client.query('discard plans')
  } catch (error) {
    client.release(true)
    throw error
  }
}

type Names = { find(text: string): string | undefined; renew(): void }

/** Gives a name to a text that came often lately, as long as there are few such texts. After `renew` all are new. */
function createNames(kind: string, { often, now }: Required<Pick<Options, 'often' | 'now'>>): Names {
  const calls = new Map<string, number>()
  const names = new Map<string, string>()
  let countedFrom = now()
  let renewals = 0
  const find = (text: string) => {
    const known = names.get(text)
    if (known !== undefined || names.size === PREPARED_MAX) return known
    if (calls.size === TEXTS_MAX || now() - countedFrom >= PLANS_KEPT_MS) {
      calls.clear()
      countedFrom = now()
    }
    const count = (calls.get(text) ?? 0) + 1
    calls.set(text, count)
    if (count === often) names.set(text, `${kind}${renewals}${createHash('sha1').update(text).digest('base64url')}`)
    return names.get(text)
  }
  const renew = () => {
    renewals++
    names.clear()
  }
  return { find, renew }
}

/**
 * A prepared statement fails after a migration that changed its columns. It runs once more as a plain one, and no name
 * from before is used again, on any connection. In a transaction, which has failed, it throws: `inTransaction` begins
 * anew.
 */
function lent(client: PoolClient, names: Names | undefined, pipeline: boolean): PostgresPoolClient {
  const query = async (text: string, values: unknown[]) => {
    const name = values.length > 0 ? names?.find(text) : undefined
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      if (names?.find(text) === name) names.renew()
      return client.query(text, values).catch(() => Promise.reject(error))
    }
  }
  // Others of the pool are not in this mode: with all of them in it, calls waited for three seconds.
  Object.assign(client, { pipeline })
  const release = (isBroken?: boolean) => {
    Object.assign(client, { pipeline: false })
    client.release(isBroken)
  }
  return { query, release } as unknown as PostgresPoolClient
}
