// Slow: a second or more for each test, or five for the file.
import { expect, onTestFinished, test, vi } from 'vitest'
import { cloneTemplate } from '../../../test/support/service.ts'
import { createLog } from '../shared/log.ts'
import { createDatabaseClock } from './clock.ts'
import { connect, type DbPool } from './connect.ts'

const HOUR_MS = 3_600_000

test('the clock is the database’s, whatever this machine’s says', async () => {
  const { pool, time, measured } = await follow()
  await pretend(pool, { hoursAhead: 1, startedAt: '2026-01-01' })
  await pool.query('select 1')
  expect(Math.abs(time.clock.now() - Date.now() - HOUR_MS)).toBeLessThan(HOUR_MS / 6)
  // The metric of the alert shows it.
  expect(Math.abs(measured.at(-1)! - HOUR_MS)).toBeLessThan(HOUR_MS / 6)
})

test('the clock is another server’s before the first statement runs there', async () => {
  const { pool, time } = await follow()
  await pool.query('select 1')
  expect(Math.abs(time.clock.now() - Date.now())).toBeLessThan(HOUR_MS / 6)
  await pretend(pool, { hoursAhead: 1, startedAt: '2026-01-01' })
  const client = await pool.connect()
  expect(Math.abs(time.clock.now() - Date.now() - HOUR_MS)).toBeLessThan(HOUR_MS / 6)
  client.release()
  await pretend(pool, { hoursAhead: -2, startedAt: '2026-01-02' })
  await pool.query('select 1')
  expect(Math.abs(time.clock.now() - Date.now() + 2 * HOUR_MS)).toBeLessThan(HOUR_MS / 6)
})

test('its listeners learn of another server, but not of a new connection to the same one', async () => {
  const { pool, time } = await follow()
  const heard: string[] = []
  let answers = ''
  time.onServerChange(() => heard.push(answers))
  for (answers of ['2026-01-01', '2026-01-01', '2026-01-02', '2026-01-02']) {
    await pretend(pool, { hoursAhead: 0, startedAt: answers })
    await pool.query('select 1')
  }
  expect(heard).toEqual(['2026-01-01', '2026-01-02'])
})

test('a new connection to the same server does not change the clock', async () => {
  const { pool, time } = await follow()
  await pretend(pool, { hoursAhead: 0, startedAt: '2026-01-01' })
  await pool.query('select 1')
  await pretend(pool, { hoursAhead: 1, startedAt: '2026-01-01' })
  await pool.query('select 1')
  expect(Math.abs(time.clock.now() - Date.now())).toBeLessThan(HOUR_MS / 6)
})

test('the clock does not jump with this machine’s clock, and is set by the database’s again at once', async () => {
  const { pool, time } = await follow()
  await pool.query('select 1')
  const asked = vi.spyOn(pool, 'connect')
  const trueNow = Date.now
  onTestFinished(() => void (Date.now = trueNow))
  for (const hours of [26, -2]) {
    Date.now = () => trueNow() + hours * HOUR_MS
    expect(Math.abs(time.clock.now() - trueNow())).toBeLessThan(HOUR_MS / 6)
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(0)
    expect(Math.abs(time.clock.now() - trueNow())).toBeLessThan(HOUR_MS / 6)
    asked.mockClear()
  }
})

/** A clock that follows a database of its own. */
async function follow() {
  const { url, drop } = await cloneTemplate()
  const log = createLog('silent')
  const measured: number[] = []
  const time = createDatabaseClock(log, (offMs) => void measured.push(offMs))
  const pool = connect(url, { max: 1, log, onServer: time.setByServer })
  const { stop } = time.follow(pool)
  onTestFinished(async () => {
    stop()
    await pool.end()
    await drop()
  })
  return { pool, time, measured }
}

/** The database tells another time and another start from the next connection on: its own functions are found later. */
async function pretend(
  pool: DbPool,
  { hoursAhead, startedAt }: { hoursAhead: number; startedAt: string },
): Promise<void> {
  const client = await pool.connect()
  await client.query(`
    create schema if not exists pretended;
    create or replace function pretended.clock_timestamp() returns timestamptz language sql as $$
      select pg_catalog.clock_timestamp() + interval '${hoursAhead} hours' $$;
    create or replace function pretended.pg_postmaster_start_time() returns timestamptz language sql as $$
      select timestamptz '${startedAt}' $$;
    do $$ begin execute format('alter database %I set search_path = pretended, pg_catalog, public', current_database()); end $$`)
  client.release(true)
}
