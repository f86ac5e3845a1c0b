import type { RawBuilder } from 'kysely'
import type { QueryResult } from 'pg'
import type { Db, DbPool } from './connect.ts'
import { inline } from './inline.ts'
import { timed } from '../statements/statements.ts'
import { PLANS, type PlanKind } from './planner.ts'
import { isStatementTimeout } from './transaction.ts'

export type Source = { db: Db; pool: DbPool }

export type Message = {
  name?: string
  plans?: PlanKind
  /** Each statement has so many milliseconds. If one takes longer, it throws with the code 57014. */
  patienceMs?: number
}

/** PostgreSQL takes the message as one transaction, with which its settings end: one round trip instead of four. */
export async function inOneMessage(
  { db, pool }: Source,
  statements: RawBuilder<unknown>[],
  { name = 'message', plans, patienceMs }: Message = {},
): Promise<unknown[][]> {
  const settings = [
    ...(plans === undefined ? [] : listSettings(plans)),
    ...(patienceMs === undefined ? [] : [`set_config('statement_timeout', '${patienceMs}', true)`]),
  ]
  const texts = statements.map((statement) => inline(db, statement))
  const all = settings.length === 0 ? texts : [`select ${settings.join(', ')}`, ...texts]
  // The driver sends a text without values as it is, and gives a result for each statement.
  const answers = await timed(pool, name, () => ask(pool, all.join(';\n')))
  const results = [answers as QueryResult | QueryResult[]].flat()
  return results.slice(all.length - texts.length).map(({ rows }) => rows as unknown[])
}

/** A connection whose statement took too long stays open; `pool.query` would close it. */
async function ask(pool: DbPool, text: string): Promise<unknown> {
  const client = await pool.connect()
  try {
    const result = await client.query(text)
    client.release()
    return result
  } catch (error) {
    client.release(isStatementTimeout(error) ? undefined : (error as Error))
    throw error
  }
}

export async function unlessTooLong<T>(message: Promise<T>): Promise<T | undefined> {
  try {
    return await message
  } catch (error) {
    if (isStatementTimeout(error)) return undefined
    throw error
  }
}

function listSettings(plans: PlanKind): string[] {
  return Object.entries(PLANS[plans]).map(([name, value]) => `set_config('${name}', '${value}', true)`)
}
