// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { openLink } from '../../../test/support/link.ts'
import type { Deps } from '../../deps.ts'
import { createLog } from '../shared/log.ts'
import { copyOut, type CopySource } from './copy-out.ts'
import { isDatabaseUnavailable } from './transaction.ts'

const ROWS = 200_000
const MANY = { rows: sql`select repeat('x', 100) from generate_series(1, ${ROWS}::int)`, counted: sql`select 1` }
const NAP = { rows: sql`select pg_sleep(30)::text`, counted: sql`select 1` }

describe('A copy', () => {
  test('that gets no more data fails, and says that the database is unavailable', async ({ deps }) => {
    const { stream, given } = await copyOut(createSource(deps, { silenceMs: 200 }), { ...NAP, format: 'lines' })
    stream.resume()
    const error: unknown = await given.catch((fault: unknown) => fault)
    expect(isDatabaseUnavailable(error)).toBe(true)
    await expectNoneRunning(deps)
  })

  test('with a reader slower than the limit for the database continues, and is complete', async ({ deps }) => {
    const { stream, given } = await copyOut(createSource(deps, { silenceMs: 200 }), { ...MANY, format: 'lines' })
    await sleep(1_000)
    stream.resume()
    expect(await given).toBe(ROWS)
  })

  test('that nobody reads ends, and so does its query', async ({ deps }) => {
    const { given } = await copyOut(createSource(deps, { readerMs: 300 }), { ...MANY, format: 'lines' })
    await expect(given).rejects.toThrow('The reader took no rows for too long.')
    await expectNoneRunning(deps)
  })

  test('ends after the longest time that it may take', async ({ deps }) => {
    const { stream, given } = await copyOut(createSource(deps, { longestMs: 400, readerMs: 300 }), {
      ...NAP,
      format: 'lines',
    })
    stream.resume()
    await expect(given).rejects.toThrow(/took too long|statement timeout/)
    await expectNoneRunning(deps)
  })

  test('on a link that falls silent between its last row and its end fails, too', async ({ deps }) => {
    const url = new URL(deps.config.DATABASE_URL)
    const link = await openLink(Number(url.port))
    onTestFinished(() => link.close())
    url.port = String(link.port)
    const source = { ...createSource(deps, { silenceMs: 300 }), url: url.href }
    const { stream, given } = await copyOut(source, { rows: sql`select 1`, counted: sql`select 1`, format: 'lines' })
    stream.once('end', () => link.stall())
    stream.resume()
    const error: unknown = await given.catch((fault: unknown) => fault)
    expect(isDatabaseUnavailable(error)).toBe(true)
  })
})

function createSource({ db, config }: Deps, limits: CopySource['limits'] & object): CopySource {
  return { db, url: config.DATABASE_URL, log: createLog('silent'), limits }
}

async function expectNoneRunning({ pool }: Deps): Promise<void> {
  const running = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and query like 'copy (%' and state <> 'idle'`,
    )
    return rowCount
  }
  await expect.poll(running).toBe(0)
}
