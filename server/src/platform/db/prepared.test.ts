import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import type { Service } from '../../../test/support/service.ts'
import { createLog } from '../shared/log.ts'
import { connect, queryBuilder, type Db } from './connect.ts'
import { preparingRepeated } from './prepared.ts'
import type { Pooling } from './session.ts'
import { inTransaction, isDatabaseUnavailable } from './transaction.ts'

describe('Statements that come often', () => {
  test('are prepared from the fifth time on, once for a connection, and answer as before', async ({ service }) => {
    const db = repeatingOn(service)
    for (let n = 1; n <= 7; n++) expect(await double(db, n)).toBe(2 * n)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(rows.map(({ statement }) => statement)).toEqual(['select $1::int * 2 as n'])
  })

  test('are not prepared behind a pooler that lends a session for one transaction', async ({ service }) => {
    const db = repeatingOn(service, 'transaction')
    for (let n = 1; n <= 7; n++) expect(await double(db, n)).toBe(2 * n)
    expect((await sql`select 1 from pg_prepared_statements`.execute(db)).rows).toEqual([])
  })

  test('of which there are many are not all prepared, so that a connection holds few', async ({ service }) => {
    const db = repeatingOn(service)
    for (let kind = 0; kind < 320; kind++)
      for (let n = 0; n < 5; n++) await sql`select ${n}::int as ${sql.ref(`n${kind}`)}`.execute(db)
    expect((await sql`select 1 from pg_prepared_statements`.execute(db)).rows).toHaveLength(300)
  })

  test('are planned anew after ten seconds, for tables that have grown', async ({ service }) => {
    let now = 0
    const db = repeatingOn(service, 'session', () => now)
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

  test('fail once as if the database were away when a migration changes their columns, then work', async ({
    service,
  }) => {
    const db = repeatingOn(service)
    const read = () => sql`select * from provider_state where provider = ${'expo'}`.execute(db)
    for (let n = 0; n < 6; n++) await read()
    await sql`alter table provider_state add column note text`.execute(service.deps.db)
    const fault: unknown = await read().catch((error: unknown) => error)
    expect(isDatabaseUnavailable(fault)).toBe(true)
    expect((await read()).rows).toHaveLength(1)
    await inTransaction(db, async (tx) => {
      expect((await sql`select * from provider_state where provider = ${'expo'}`.execute(tx)).rows).toHaveLength(1)
    })
  })
})

function repeatingOn({ deps }: Service, pooling: Pooling = 'session', now?: () => number): Db {
  const pool = connect(deps.config.DATABASE_URL, { max: 1, log: createLog('silent'), pooling })
  onTestFinished(() => pool.end())
  return queryBuilder(preparingRepeated(pool, now))
}

async function double(db: Db, n: number): Promise<number | undefined> {
  return (await sql<{ n: number }>`select ${n}::int * 2 as n`.execute(db)).rows[0]?.n
}
