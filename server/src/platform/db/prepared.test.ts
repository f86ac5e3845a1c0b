import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import type { Service } from '../../../test/support/service.ts'
import { createLog } from '../shared/log.ts'
import { connect, type Db, type Runner } from './connect.ts'
import { inPlannedTransaction } from './planner.ts'
import { buildersOn } from './prepared.ts'
import type { Pooling } from './session.ts'
import { inTransaction, isDatabaseUnavailable, together } from './transaction.ts'

describe('Statements that come often', () => {
  test('are prepared from the fifth time on, once for a connection, and answer as before', async ({ service }) => {
    const { db } = repeatingOn(service)
    for (let n = 1; n <= 7; n++) expect(await double(db, n)).toBe(2 * n)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(rows.map(({ statement }) => statement)).toEqual(['select $1::int * 2 as n'])
  })

  test('are not prepared behind a pooler that lends a session for one transaction', async ({ service }) => {
    const { db } = repeatingOn(service, { pooling: 'transaction' })
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
    const { db } = repeatingOn(service, { now: () => now })
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
      const db = repeatingOn(service, { max: 4 })[name]
      await sql`create table changing as select 1 as id`.execute(db)
      for (let n = 0; n < 9; n++) await fourTimes(() => readChanging(db))
      await sql`alter table changing add column note text`.execute(service.deps.db)
      const readTwice = (runner: Runner) => Promise.all([readChanging(runner), readChanging(runner)])
      for (let n = 0; n < 4; n++) expect(await run(db, readTwice)).toEqual([CHANGED, CHANGED])
      await fourTimes(async () => expect(await run(db, readTwice)).toEqual([CHANGED, CHANGED]))
      await sql`drop table changing`.execute(db)
    }
  })

  test('fail with the fault of a transaction around theirs, which a second attempt cannot hear', async ({
    service,
  }) => {
    const { db } = repeatingOn(service, { max: 4 })
    await sql`create table changing as select 1 as id`.execute(db)
    for (let n = 0; n < 9; n++) await readChanging(db)
    await sql`alter table changing add column note text`.execute(service.deps.db)
    const heard: unknown[] = []
    await inTransaction(db, (around) =>
      inTransaction(service.deps.db, () => readChanging(around)).catch((error: unknown) => {
        heard.push(error)
        throw error
      }),
    )
    expect(heard).toSatisfy(([error]) => isDatabaseUnavailable(error))
    await sql`drop table changing`.execute(db)
  })

  test('whose connection could not roll back are not lent to others', async ({ service }) => {
    const { db, pool } = repeatingOn(service)
    const before = await findBackend(db)
    pool.once('acquire', (client) => {
      const query = client.query.bind(client) as (text: unknown, values: unknown) => Promise<unknown>
      const refusing = (text: unknown, values: unknown) =>
        text === 'rollback' ? Promise.reject(new Error('no rollback')) : query(text, values)
      Object.assign(client, { query: refusing })
    })
    await expect(inTransaction(db, () => Promise.reject(new Error('work failed')))).rejects.toThrow('no rollback')
    expect(await findBackend(db)).not.toEqual(before)
  })

  test('in a plan of their own where the switches of the planner are set', async ({ service }) => {
    const { db } = repeatingOn(service)
    await sql`create table switched as select 1 as kind, repeat('x', 100) as text from generate_series(1, 20000)`.execute(
      db,
    )
    await sql`create index on switched (kind)`.execute(db)
    await sql`analyze switched`.execute(db)
    for (let n = 0; n < 12; n++) await readSwitched(db)
    await inPlannedTransaction(db, 'by index', async (tx) => {
      const before = await countScans(tx)
      await readSwitched(tx)
      expect(await countScans(tx)).toBe(before)
    })
  })
})

function fourTimes<T>(work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 4 }, work))
}

async function findBackend(runner: Runner): Promise<number | undefined> {
  return (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(runner)).rows[0]?.pid
}

function readSwitched(runner: Runner): Promise<unknown> {
  return sql`select text from switched where kind = ${1}`.execute(runner)
}

async function countScans(runner: Runner): Promise<number | undefined> {
  const { rows } = await sql<{ n: number }>`
    select seq_scan::int as n from pg_stat_xact_user_tables where relname = 'switched'`.execute(runner)
  return rows[0]?.n
}

const CHANGED = expect.objectContaining({ rows: [{ id: 1, note: null }] })

function readChanging(runner: Runner): Promise<unknown> {
  return sql`select * from changing where id = ${1}`.execute(runner)
}

type Given = { pooling?: Pooling; now?: () => number; max?: number }

function repeatingOn({ deps }: Service, { pooling = 'session', max = 1, ...options }: Given = {}) {
  const pool = connect(deps.config.DATABASE_URL, { max, log: createLog('silent'), pooling })
  onTestFinished(() => pool.end())
  return { ...buildersOn(pool, options), pool }
}

async function double(db: Db, n: number): Promise<number | undefined> {
  return (await sql<{ n: number }>`select ${n}::int * 2 as n`.execute(db)).rows[0]?.n
}
