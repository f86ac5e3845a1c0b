import { Pool } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
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

test('the clock goes on evenly when this machine’s jumps, and is set by the database’s again at once', async () => {
  const { url, drop } = await cloneTemplate()
  const pool = new Pool({ connectionString: url, max: 1 })
  const { clock, stop } = await followDatabaseClock(pool, createLog('silent'))
  const asked = vi.spyOn(pool, 'query')
  const trueNow = Date.now
  onTestFinished(() => void (Date.now = trueNow))
  for (const hours of [26, -2]) {
    Date.now = () => trueNow() + hours * 3_600_000
    expect(Math.abs(clock.now() - trueNow())).toBeLessThan(1_000)
    await expect.poll(() => asked.mock.calls.length, { timeout: 3_000 }).toBeGreaterThan(0)
    expect(Math.abs(clock.now() - trueNow())).toBeLessThan(1_000)
    asked.mockClear()
  }
  stop()
  await pool.end()
  await drop()
})
