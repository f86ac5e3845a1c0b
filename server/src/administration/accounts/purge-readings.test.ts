import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork } from '../../platform/work/work.ts'
import { verifyAudit } from '../audit/verify.ts'
import { showSwap } from '../swaps/swap-file.ts'
import { purgeUsers } from './purge.ts'

test('a purge passes by people whose chat is read meanwhile, and takes the reason with the next round', async ({
  service,
}) => {
  const { deps, clock } = service
  const { swapId, owner } = await givenProposal(service)
  const gone = { deleted_at: new Date(clock.now()), purge_after: new Date(clock.now()) }
  await deps.db.updateTable('users').set(gone).where('user_id', '=', owner.userId).execute()
  const purge = () => purgeUsers(deps, new AbortController().signal)
  await inWork(deps, THE_SERVICE, async (work) => {
    await showSwap(work, swapId, { reason: 'He lies', before: undefined, limit: 1 })
    expect(await purge()).toBe(0)
  })
  const readReasons = async () =>
    (await sql`select from audit_details where content #>> '{after,reason}' = 'He lies'`.execute(deps.db)).rows.length
  expect(await readReasons()).toBe(1)
  expect(await purge()).toBe(1)
  expect(await readReasons()).toBe(0)
  expect((await verifyAudit(deps)).broken).toBeUndefined()
})
