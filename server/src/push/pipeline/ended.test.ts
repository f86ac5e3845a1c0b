import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { statusOfMessage } from '../../../test/support/halts.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { askForReceipts } from '../../../test/support/lived-in.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { settle } from './settle.ts'
import { putBack } from './sweep.ts'

test('an answer that comes after its copy ended as unknown is heard: the phone has the push', async ({
  service,
  clock,
}) => {
  const messageId = await send(service, await usersWithPhones(service, 2))
  const rounds: [Parameters<typeof settle>[1], Parameters<typeof settle>[2]][] = []
  while ((await readCopies(service, messageId))[0]?.settled_at == null) {
    const claim = await claimAll(service, messageId)
    if (claim.requests.length > 0) rounds.push([claim, await callAll(service, claim)])
    await clock.tick(125_000)
    await sweep(service.deps)
  }
  expect(await readCopies(service, messageId)).toMatchObject([{ error_message: 'OutcomeUnknown' }, {}])
  await settle(service.deps, ...rounds[0]!)
  expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false }, { is_send: false }])
  await settle(service.deps, ...rounds.at(-1)!)
  expect(await readCopies(service, messageId)).toMatchObject([
    { is_send: true, error_message: null, settled_at: null, attempts: rounds.length },
    { is_send: true, error_message: null, settled_at: null },
  ])
  await expectTruth(service, messageId)
  await askForReceipts(service)
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 2, delivered: 2, failed: 0 })
  await expectTruth(service, messageId)
})

test('work that a slow database keeps from beginning is given up once its message has expired', async ({
  service,
  clock,
}) => {
  const { deps } = service
  const messageId = await send(service, await usersWithPhones(service, 1))
  const { rows } = await sql<{ home: number; workId: number }>`select home, work_id as "workId" from work`.execute(
    deps.db,
  )
  const slow = Object.assign(new Error('slow'), { code: '57014' })
  const putBackOften = async () => {
    for (let time = 0; time <= deps.config.PUSH_RETRY_LIMIT; time++) await putBack(deps, rows[0]!, slow)
    return (await deps.db.selectFrom('work').select('work_id').execute()).length
  }
  expect(await putBackOften()).toBe(1)
  await deps.db
    .updateTable('messages')
    .set({ expires_at: fromNow(clock) })
    .execute()
  expect(await putBackOften()).toBe(0)
  expect(await statusOfMessage(service, messageId)).toMatchObject({ status: 'completed' })
  await expectTruth(service, messageId)
})
