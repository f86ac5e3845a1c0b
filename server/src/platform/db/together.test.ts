import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { openLink } from '../../../test/support/link.ts'
import { createLog } from '../shared/log.ts'
import { connect, type Runner } from './connect.ts'
import { buildersOn } from './prepared.ts'
import { inTransaction, together } from './transaction.ts'

describe('Statements of a transaction that do not wait for each other', () => {
  test.for(['db', 'pipelined'] as const)(
    'run in their order, give their own answers, and are part of it (%s)',
    async (name, { deps }) => {
      const undone = inTransaction(deps[name], async (tx) => {
        const found = await together(tx, (runner) =>
          Promise.all([breaker(runner), halt(runner), breaker(runner), sql`select 1 as one`.execute(runner)]),
        )
        expect(found).toEqual(['closed', undefined, 'halted', expect.objectContaining({ rows: [{ one: 1 }] })])
        expect(await breaker(tx)).toBe('halted')
        throw new Error('rolled back')
      })
      await expect(undone).rejects.toThrow('rolled back')
      expect(await breaker(deps.db)).toBe('closed')
    },
  )

  test.for(['db', 'pipelined'] as const)(
    'fail with the first, and the connection is as good as before (%s)',
    async (name, { deps }) => {
      const failing = inTransaction(deps[name], (tx) =>
        together(tx, (runner) =>
          Promise.all([halt(runner), sql`select 1 / 0`.execute(runner), breaker(runner), breaker(runner)]),
        ),
      )
      await expect(failing).rejects.toThrow('division by zero')
      expect(await Promise.all(Array.from({ length: 20 }, () => breaker(deps[name])))).toEqual(Array(20).fill('closed'))
    },
  )

  test('fail with the fault, also where those after it are heard first', async ({ deps }) => {
    const failing = inTransaction(deps.pipelined, (tx) =>
      together(tx, async (runner) => {
        const fault = sql`select 1 / 0`.execute(runner)
        await Promise.all([breaker(runner), fault.catch(() => undefined)])
      }),
    )
    await expect(failing).rejects.toMatchObject({ code: '22012' })
  })

  test('are all sent before the first is answered', async ({ deps }) => {
    const url = new URL(deps.config.DATABASE_URL)
    const link = await openLink(Number(url.port))
    onTestFinished(() => link.close())
    url.port = String(link.port)
    const pool = connect(url.href, { max: 1, log: createLog('silent') })
    onTestFinished(() => pool.end())
    const held = async () => {
      const { rows } = await sql`
        select 1 from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and l.objid in (991, 992, 993)`.execute(
        deps.db,
      )
      return rows
    }
    await inTransaction(buildersOn(pool).pipelined, async (tx) => {
      await breaker(tx)
      link.stall('answers')
      const locks = [991, 992, 993]
      const all = together(tx, (runner) =>
        Promise.all(locks.map((lock) => sql`select pg_advisory_xact_lock(${lock})`.execute(runner))),
      )
      await expect.poll(held).toHaveLength(3)
      link.flow()
      expect(await all).toHaveLength(3)
    })
    expect(await held()).toEqual([])
  })
})

async function breaker(runner: Runner): Promise<string | undefined> {
  return (await sql<{ breaker: string }>`select breaker from provider_state`.execute(runner)).rows[0]?.breaker
}

async function halt(runner: Runner): Promise<void> {
  await sql`update provider_state set breaker = 'halted'`.execute(runner)
}
