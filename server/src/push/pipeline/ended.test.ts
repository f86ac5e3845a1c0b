import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { askForReceipts } from '../../../test/support/lived-in.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { settle } from './settle.ts'

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
    { is_send: true, error_message: null, attempts: rounds.length },
    { is_send: true, error_message: null },
  ])
  await askForReceipts(service)
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 2, delivered: 2, failed: 0 })
  await expectTruth(service, messageId)
})
