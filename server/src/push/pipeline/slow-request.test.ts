// Slow: a second or more for each test, or five for the file.
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones, sendToEveryone } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { sendBatches } from './submit.ts'

test('the tickets of a request are stored before a slow one of the same claim is answered', async ({
  service,
  given,
}) => {
  await given.crowd(150)
  const slow = Promise.withResolvers<void>()
  service.simulator.script([{ match: 'send', until: slow.promise }])
  await sendToEveryone(service)
  const sent = async () => {
    const rows = service.deps.db.selectFrom('notifications').select('notification_id').where('is_send', '=', true)
    return (await rows.execute()).length
  }
  const sending = drain(service)
  await expect.poll(sent).toBe(50)
  slow.resolve()
  await sending
  expect(await sent()).toBe(150)
})

test('a late answer is stored also where a step after the answers before it failed', async ({ service, deps }) => {
  const messageId = await send(service, await usersWithPhones(service, 2))
  const slow = Promise.withResolvers<void>()
  service.simulator.script([{ match: 'send', until: slow.promise }])
  let judged = 0
  const judge: typeof deps.platformGuard.judge = async (...results) => {
    if (judged++ === 0) throw new Error('judging')
    return deps.platformGuard.judge(...results)
  }
  const sender = {
    ...deps,
    provider: { ...deps.provider, maxPushes: 1 },
    platformGuard: { ...deps.platformGuard, judge },
  }
  const sending = sendBatches(sender, { home: 0, lane: 'campaign', limit: 1 })
  await expect.poll(() => judged).toBe(1)
  slow.resolve()
  await sending
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 2, possible_duplicates: 0 })
})
