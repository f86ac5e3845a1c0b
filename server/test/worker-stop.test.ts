// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createDeps } from '../src/deps.ts'
import { configWith } from '../src/platform/config/config.ts'
import { createLog } from '../src/platform/shared/log.ts'
import { RECEIPT_RUNS_AT_ONCE, startWorker } from '../src/worker.ts'
import { startRealTime, type RealTime } from './support/real-time.ts'

/** Holds a table, so that whoever needs it waits. */
async function holdTable({ databaseUrl }: RealTime, table: string): Promise<{ release: () => Promise<unknown> }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query(`lock table ${table} in access exclusive mode`)
  return { release: () => client.query('rollback') }
}

test('a worker that stops begins none of the jobs that wait, however long its other parts take', async () => {
  const real = await startRealTime()
  onTestFinished(() => real.close())
  const { queue, pool, config } = real.deps
  const { deps, close } = await createDeps(configWith({ ...config, PROCESS: 'worker' }), createLog('silent'))
  const worker = await startWorker(deps)
  onTestFinished(close)
  onTestFinished(worker.stop)
  const list = async (state: string) => {
    const jobs = await queue.boss.findJobs('fetch-receipts')
    return jobs.filter((job) => job.state === state).map(({ id }) => id)
  }
  const isWaitedFor = async (table: string) => {
    const waits = 'select from pg_locks where relation = $1::regclass and not granted'
    return (await pool.query(waits, [table])).rowCount !== 0
  }
  const requests = await holdTable(real, 'requests')
  const decisions = await holdTable(real, 'desk_decisions')
  const jobs = Array.from({ length: 3 * RECEIPT_RUNS_AT_ONCE }, () => ({
    data: { limit: 10, dueOnly: false },
    singletonKey: randomUUID(),
  }))
  await queue.boss.insert('fetch-receipts', jobs)
  queue.announce('fetch-receipts')
  queue.announce('desk-decisions')
  await expect.poll(() => list('active')).toHaveLength(RECEIPT_RUNS_AT_ONCE)
  await expect.poll(() => isWaitedFor('desk_decisions')).toBe(true)
  const waiting = await list('created')
  deps.lifecycle.draining = true
  const stopping = worker.stop()
  await requests.release()
  await expect.poll(() => list('active')).toEqual([])
  await decisions.release()
  await stopping
  expect(waiting.length).toBeGreaterThan(RECEIPT_RUNS_AT_ONCE)
  expect(await list('created')).toEqual(expect.arrayContaining(waiting))
})
