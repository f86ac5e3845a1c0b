import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { cloneTemplate } from '../../test/support/service.ts'
import { createLog } from '../shared/log.ts'
import { followDatabaseClock } from './clock.ts'

test('the clock is the database’s, whatever this machine’s says', async () => {
  const { url, drop } = await cloneTemplate()
  const pool = new Pool({ connectionString: url, max: 1 })
  // A database that lives an hour ahead: its own clock_timestamp is found first.
  await pool.query(`create schema ahead`)
  await pool.query(
    `create function ahead.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`,
  )
  await pool.query(`set search_path = ahead, pg_catalog, public`)
  const { clock, stop } = await followDatabaseClock(pool, createLog('silent'))
  expect(Math.abs(clock.now() - Date.now() - 3_600_000)).toBeLessThan(1_000)
  stop()
  await pool.end()
  await drop()
})
