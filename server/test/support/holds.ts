import { Client } from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { Service } from './service.ts'

/** A transaction of the test that holds what others want. */
export type Hold = { untilWaiting(count: number): Promise<void>; commit(): Promise<void> }

/** `untilWaiting`: until so many sessions of the database wait for a lock. */
export async function hold({ deps }: Service, statement: string): Promise<Hold> {
  const client = new Client(deps.config.DATABASE_URL)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query(statement)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return {
    untilWaiting: async (count) => {
      await expect.poll(async () => (await deps.pool.query(waiting)).rowCount).toBe(count)
    },
    commit: async () => void (await client.query('commit')),
  }
}
