// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { describe, expect, onTestFinished, vi } from 'vitest'
import type { ClientBase, Pool } from 'pg'
import { test } from '../../../test/support/app.ts'
import { openLink, type Link } from '../../../test/support/link.ts'
import type { Service } from '../../../test/support/service.ts'
import { createLog } from '../shared/log.ts'
import { connect, queryBuilder, type ConnectOptions } from './connect.ts'
import { inTransaction, isDatabaseUnavailable } from './transaction.ts'

describe('a process that is frozen within a transaction', () => {
  test('loses its session and its locks before those who wait for them give up', async ({ service }) => {
    const [frozen, other] = [
      createPool(service, { idleMs: 400, lockMs: 2_000 }),
      createPool(service, { lockMs: 2_000 }),
    ]
    const client = await frozen.connect()
    const told = vi.fn<(error: Error & { code?: string }) => void>()
    client.on('error', told)
    await client.query('begin; select * from provider_state for update')
    // It would fail after its own limit for a lock.
    await other.query('update provider_state set breaker_code = breaker_code')
    await expect.poll(() => told.mock.calls.map(([error]) => error.code)).toContain('25P03')
    const late: unknown = await client.query('select 1').catch((error: unknown) => error)
    expect(isDatabaseUnavailable(late)).toBe(true)
    client.release(true)
  })

  test('has a shorter limit than a wait for a lock, and both are shorter than a lease', async ({ deps }) => {
    const readLimit = async (name: string) => {
      const { rows } = await deps.pool.query<{ seconds: number }>(
        `select extract(epoch from current_setting($1)::interval)::float8 as seconds`,
        [name],
      )
      return rows[0]?.seconds ?? 0
    }
    const [idle, lock] = [await readLimit('idle_in_transaction_session_timeout'), await readLimit('lock_timeout')]
    expect(idle).toBeGreaterThan(0)
    expect(idle).toBeLessThan(lock)
    expect(lock).toBeLessThan(deps.config.PUSH_LEASE_SECONDS)
  })
})

describe('a pool', () => {
  test('has a connection again that was ready when its caller had given up', async ({ service }) => {
    const held = { count: 0, isReady: true }
    const setUp = async (client: ClientBase) => {
      held.count++
      // A connection that says nothing would be closed.
      while (!held.isReady) await client.query('select 1')
    }
    const pool = createPool(service, { connectMs: 1_000 }, { max: 1, setUp })
    onTestFinished(() => void (held.isReady = true))
    const first = await pool.connect()
    held.isReady = false
    const late = pool.connect()
    first.release(true)
    await expect(late).rejects.toThrow('timeout exceeded')
    held.isReady = true
    const next = await pool.connect()
    next.release()
    expect(held.count).toBe(2)
  })
})

describe('a link to the database', () => {
  test('that falls silent is given up soon after its statements must have been, and a new one is made', async ({
    service,
  }) => {
    const { link, pool } = await linked(service, { silenceMs: 600 })
    const db = queryBuilder(pool)
    const ask = async () => db.selectFrom('provider_state').select('breaker').execute()
    await ask()
    link.stall()
    const fault: unknown = await ask().catch((error: unknown) => error)
    expect(isDatabaseUnavailable(fault)).toBe(true)
    link.flow()
    expect(await ask()).toEqual([{ breaker: 'closed' }])
  })

  test('that falls silent within a transaction fails it, and nothing is left open', async ({ service }) => {
    const { link, pool } = await linked(service, { silenceMs: 600 })
    const db = queryBuilder(pool)
    const fault: unknown = await inTransaction(db, async (tx) => {
      await tx.selectFrom('provider_state').select('breaker').forUpdate().execute()
      link.stall()
      await tx.updateTable('provider_state').set({ breaker_code: 'Never' }).execute()
    }).catch((error: unknown) => error)
    expect(isDatabaseUnavailable(fault)).toBe(true)
    link.flow()
    const state = await db.selectFrom('provider_state').select('breaker_code').forUpdate().executeTakeFirst()
    expect(state).toEqual({ breaker_code: null })
  })

  test('that is only slow fails nothing', async ({ service }) => {
    const { link, pool } = await linked(service, { silenceMs: 600 })
    link.slow(100)
    const { rows } = await pool.query('select count(*)::int as n from (select pg_sleep(0.3)) nap')
    expect(rows).toEqual([{ n: 1 }])
  })
})

type Limits = NonNullable<ConnectOptions['limits']>
type Others = Partial<ConnectOptions> & { url?: string }

function createPool(
  { deps }: Service,
  limits: Limits,
  { url = deps.config.DATABASE_URL, ...others }: Others = {},
): Pool {
  const pool = connect(url, { max: 2, log: createLog('silent'), limits, ...others })
  onTestFinished(() => pool.end())
  return pool
}

async function linked(service: Service, limits: Limits): Promise<{ link: Link; pool: Pool }> {
  const url = new URL(service.deps.config.DATABASE_URL)
  const link = await openLink(Number(url.port))
  onTestFinished(() => link.close())
  url.port = String(link.port)
  return { link, pool: createPool(service, limits, { url: url.href }) }
}
