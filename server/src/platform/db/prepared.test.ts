import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import type { Service } from '../../../test/support/service.ts'
import { createLog } from '../shared/log.ts'
import { connect, type Db, type Runner } from './connect.ts'
import { buildersOn } from './prepared.ts'
import type { Pooling } from './session.ts'
import { inTransaction, together } from './transaction.ts'

describe('Statements that come often', () => {
  test('are prepared from the fifth time on, once for a connection, and answer as before', async ({ service }) => {
    const { db } = repeatingOn(service)
    for (let n = 1; n <= 7; n++) expect(await double(db, n)).toBe(2 * n)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(rows.map(({ statement }) => statement)).toEqual(['select $1::int * 2 as n'])
  })

  test('are not prepared behind a pooler that lends a session for one transaction', async ({ service }) => {
    const { db } = repeatingOn(service, 'transaction')
    for (let n = 1; n <= 7; n++) expect(await double(db, n)).toBe(2 * n)
    expect((await sql`select 1 from pg_prepared_statements`.execute(db)).rows).toEqual([])
  })

  test('of which there are many are not all prepared, so that a connection holds few', async ({ service }) => {
    const { db } = repeatingOn(service)
    for (let kind = 0; kind < 320; kind++)
      for (let n = 0; n < 5; n++) await sql`select ${n}::int as ${sql.ref(`n${kind}`)}`.execute(db)
    expect((await sql`select 1 from pg_prepared_statements`.execute(db)).rows).toHaveLength(300)
  })

  test('are planned anew after ten seconds, for tables that have grown', async ({ service }) => {
    let now = 0
    const { db } = repeatingOn(service, 'session', () => now)
    await sql`create table grown with (autovacuum_enabled = off) as select 1 as id`.execute(db)
    await sql`create index on grown (id)`.execute(db)
    await sql`analyze grown`.execute(db)
    const read = () => rowsRead(db, ['grown'], (tx) => sql`select from grown where id = ${1}`.execute(tx))
    for (let n = 0; n < 12; n++) expect(await read()).toBe(1)
    await sql`insert into grown select generate_series(2, 20000)`.execute(db)
    expect(await read()).toBe(20_000)
    now += 10_000
    expect(await read()).toBe(1)
  })

  test.for<[string, (db: Db, work: (runner: Runner) => Promise<unknown>) => Promise<unknown>]>([
    ['alone', (db, work) => work(db)],
    ['in a transaction', (db, work) => inTransaction(db, work)],
    ['beside others', (db, work) => inTransaction(db, (tx) => together(tx, work))],
  ])('answer also after a migration that changed their columns (%s)', async ([, run], { service }) => {
    for (const name of ['db', 'pipelined'] as const) {
      const db = repeatingOn(service)[name]
      await sql`create table changing as select 1 as id`.execute(db)
      for (let n = 0; n < 6; n++) await readChanging(db)
      await sql`alter table changing add column note text`.execute(service.deps.db)
      const readTwice = (runner: Runner) => Promise.all([readChanging(runner), readChanging(runner)])
      for (let n = 0; n < 3; n++) expect(await run(db, readTwice)).toEqual([CHANGED, CHANGED])
      await sql`drop table changing`.execute(db)
    }
  })
})

const CHANGED = expect.objectContaining({ rows: [{ id: 1, note: null }] })

function readChanging(runner: Runner): Promise<unknown> {
  return sql`select * from changing where id = ${1}`.execute(runner)
}

function repeatingOn({ deps }: Service, pooling: Pooling = 'session', now?: () => number) {
  const pool = connect(deps.config.DATABASE_URL, { max: 1, log: createLog('silent'), pooling })
  onTestFinished(() => pool.end())
  return buildersOn(pool, now && { now })
}

async function double(db: Db, n: number): Promise<number | undefined> {
  return (await sql<{ n: number }>`select ${n}::int * 2 as n`.execute(db)).rows[0]?.n
}
