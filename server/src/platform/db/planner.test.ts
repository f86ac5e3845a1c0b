import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Db, Tx } from './connect.ts'
import { inPlannedTransaction, withPlans } from './planner.ts'
import { inTransaction } from './transaction.ts'

describe('Statements that are held to a kind of plans', () => {
  test('have its switches, and those that follow have what was set before, also when they are nested', async ({
    deps,
  }) => {
    await inTransaction(deps.db, async (tx) => {
      await sql`set local enable_mergejoin = off`.execute(tx)
      const before = await readSwitches(tx)
      await withPlans(tx, 'by index', async () => {
        const outer = await readSwitches(tx)
        expect(outer).toMatchObject({ enable_seqscan: 'off', enable_hashjoin: 'off', enable_nestloop: 'on' })
        await withPlans(tx, 'by range', async () => {
          expect(await readSwitches(tx)).toMatchObject({ enable_hashjoin: 'on', enable_nestloop: 'off' })
        })
        expect(await readSwitches(tx)).toEqual(outer)
      })
      expect(await readSwitches(tx)).toEqual(before)
    })
  })

  test('leave nothing behind on their connection, also when they fail', async ({ deps }) => {
    const before = await readSwitches(deps.db)
    expect(before).toMatchObject({ enable_seqscan: 'on' })
    await inPlannedTransaction(deps.db, 'by index', (tx) => readSwitches(tx))
    const failing = inPlannedTransaction(deps.db, 'by index', (tx) => sql`select 1 / 0`.execute(tx))
    await expect(failing).rejects.toThrow('division by zero')
    expect(await Promise.all(Array.from({ length: 20 }, () => readSwitches(deps.db)))).toEqual(Array(20).fill(before))
  })
})

async function readSwitches(db: Db | Tx): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name like 'enable\\_%'`.execute(db)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}
