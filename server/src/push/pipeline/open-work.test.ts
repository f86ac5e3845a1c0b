import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findOpenWork } from './poller.queries.ts'

const MESSAGES = 5_000

test('looking for work among many messages that are due reads few of them, and among none the first that will be', async ({
  deps,
  clock,
}) => {
  const now = clock.now()
  await sql`
    insert into messages (type, audience, lane, needs_opt_in, title, body, status, coordinated_at, created_at, expires_at, updated_at)
    select 'non_promotional', 'users', 'transactional', true, 'a', 'b', 'sending', now(), now(), 'infinity', now()
    from generate_series(1, ${MESSAGES}::int)`.execute(deps.db)
  await sql`
    insert into work (batch_id, message_id, places, due_at)
    select 1, message_id, '{0}', ${new Date(now - 1)}::timestamptz from messages`.execute(deps.db)
  await sql`analyze messages, work`.execute(deps.db)
  const look = () =>
    inTransaction(deps.db, async (tx) => {
      const before = await countRead(tx)
      const { lanes } = await findOpenWork(tx, ['expo'], new Date(now))
      return { due: lanes[0]?.transactional_due, read: (await countRead(tx)) - before }
    })
  const found = await look()
  expect(found.due).toBe(now - 1)
  expect(found.read).toBeLessThan(20)

  const [early, late] = [new Date(now + 5_000), new Date(now + 9_000)]
  await sql`update work set due_at = case when work_id % 99 = 7 then ${early}::timestamptz else ${late} end`.execute(
    deps.db,
  )
  expect((await look()).due).toBe(early.getTime())
})

async function countRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(coalesce(idx_tup_read, 0))::int as n from (
      select seq_tup_read as idx_tup_read from pg_stat_xact_user_tables where relname in ('messages', 'work')
      union all
      select pg_stat_get_xact_tuples_returned(indexrelid) from pg_index
      where indrelid in ('messages'::regclass, 'work'::regclass)) read`.execute(tx)
  return rows[0]?.n ?? 0
}
