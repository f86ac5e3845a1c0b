// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Deps } from '../../deps.ts'
import { connect, queryBuilder, type Db } from '../db/connect.ts'
import { inOneMessage } from '../db/one-message.ts'
import { runPrepared } from '../db/prepared.ts'

/** A database of which each statement is heard. */
function heard({ config, log }: Deps) {
  const told: { statement: string; seconds: number; hasFailed: boolean }[] = []
  const ran = (statement: string, seconds: number, hasFailed: boolean) =>
    void told.push({ statement, seconds, hasFailed })
  const pool = connect(config.DATABASE_URL, { max: 1, log, ran })
  onTestFinished(() => pool.end())
  return { pool, db: queryBuilder(pool, ran), told, names: () => told.splice(0).map(({ statement }) => statement) }
}

async function askForOne(db: Db): Promise<void> {
  await sql`select 1 as one`.execute(db)
}

async function askWith(db: Db, condition: number): Promise<void> {
  await sql`select from users where user_id = ${condition} and ${sql`user_id > ${0}`}`.execute(db)
}

test('a statement has the name of its function, each time, whatever is within it', async ({ deps }) => {
  const { db, names } = heard(deps)
  for (const id of [1, 2, 3]) await askWith(db, id)
  await askForOne(db)
  expect(names()).toEqual(['askWith', 'askWith', 'askWith', 'askForOne'])
})

test('a statement of the query builder is its verb and table, and a transaction its words', async ({ deps }) => {
  const { db, names } = heard(deps)
  await db.selectFrom('users as u').select('u.user_id').where('u.user_id', '=', 0).execute()
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('alerts').set({ times: 1 }).where('alert_id', '=', 0).execute()
    await tx.deleteFrom('rate_limits').where('key', '=', 'none').execute()
  })
  expect(names()).toEqual(['select users', 'begin', 'update alerts', 'delete rate_limits', 'commit'])
})

test('a composed statement, one written by hand and one that fails are counted too', async ({ deps }) => {
  const { db, pool, told, names } = heard(deps)
  await sql.raw('select 1').execute(db)
  await runPrepared(pool, { name: 'ones', text: 'select 1', values: [] })
  await inOneMessage({ db, pool }, [sql`select 1`], { name: 'two ones' })
  expect(names()).toEqual(['other', 'ones', 'two ones'])
  await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow('division')
  await expect(inOneMessage({ db, pool }, [sql`select 1 / 0`])).rejects.toThrow('division')
  expect(told.map(({ hasFailed }) => hasFailed)).toEqual([true, true])
  await sql`select pg_sleep(0.05)`.execute(db)
  expect(told.at(-1)).toMatchObject({ hasFailed: false })
  expect(told.at(-1)?.seconds).toBeGreaterThan(0.045)
})

test('each wait for a connection is counted, also one that was given up', async ({ deps: { config, log } }) => {
  const waits: number[] = []
  const pool = connect(config.DATABASE_URL, { max: 1, log, waited: (seconds) => void waits.push(seconds) })
  onTestFinished(() => pool.end())
  const held = await pool.connect()
  const second = pool.query('select 1')
  setTimeout(() => held.release(), 80)
  await second
  expect(waits).toHaveLength(2)
  expect(waits[1]).toBeGreaterThan(0.07)
  const again = await pool.connect()
  await expect(pool.connect()).rejects.toThrow('timeout')
  again.release()
  expect(waits).toHaveLength(4)
  expect(waits[3]).toBeGreaterThan(2.9)
})
