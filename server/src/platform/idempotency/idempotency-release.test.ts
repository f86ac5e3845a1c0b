// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, inject } from 'vitest'
import { test } from '../../../test/support/app.ts'

describe('A POST that fails because the database becomes unreachable', () => {
  test('is taken under the same Idempotency-Key as soon as the database is back', async ({ app, deps, given }) => {
    const { headers } = await given.admin()
    const send = async (key: string) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/admin/send-notification-all',
        headers: { ...headers, 'idempotency-key': key },
        payload: { title: 'Swap weekend', text: 'No fees.' },
      })
      return answer.statusCode
    }
    const database = new URL(deps.config.DATABASE_URL).pathname.slice(1)
    const admin = new Client(inject('postgresUrl'))
    await admin.connect()
    const holder = new Client(deps.config.DATABASE_URL)
    holder.on('error', () => undefined)
    await holder.connect()
    await holder.query('begin; lock table messages in access exclusive mode')

    const key = randomUUID()
    const first = send(key)
    await expect.poll(async () => (await waiting(admin, database)).length).toBeGreaterThan(0)
    await admin.query(`alter database "${database}" allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
    expect(await first).toBe(503)
    await admin.query(`alter database "${database}" allow_connections true`)
    await admin.end()
    await expect.poll(() => send(key), { interval: 200 }).toBe(202)
  })
})

async function waiting(admin: Client, database: string): Promise<unknown[]> {
  const { rows } = await admin.query(
    `select pid from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
    [database],
  )
  return rows
}
