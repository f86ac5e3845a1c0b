import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { calmDown, readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { askForReceipts } from '../../../test/support/lived-in.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { decideAhead } from './ahead.ts'
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
    { is_send: true, error_message: null, settled_at: null, attempts: rounds.length },
    { is_send: true, error_message: null, settled_at: null },
  ])
  await expectTruth(service, messageId)
  await askForReceipts(service)
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 2, delivered: 2, failed: 0 })
  await expectTruth(service, messageId)
})

test('of what is past its time limit, one piece that cannot be ended keeps no other', async ({ service, clock }) => {
  const { deps } = service
  const users = await usersWithPhones(service, 3)
  const messages: number[] = []
  for (const user of users) messages.push(await send(service, [user]))
  await deps.db
    .updateTable('messages')
    .set({ expires_at: fromNow(clock) })
    .execute()
  await refuseChanges(service, users[1]!)
  await expect(sweep(deps)).rejects.toThrow('end what is past its time limit')
  const left = () => deps.db.selectFrom('work').select('message_id').execute()
  expect(await left()).toEqual([{ message_id: messages[1] }])
  await takeChanges(service)
  await sweep(deps)
  expect(await left()).toEqual([])
  for (const messageId of messages) await expectTruth(service, messageId)
})

test('of requests that a dead worker left, one that cannot be taken back keeps no other', async ({
  service,
  clock,
}) => {
  const users = await usersWithPhones(service, 3)
  const messages: number[] = []
  for (const user of users) messages.push(await send(service, [user]))
  for (const messageId of messages) await claimAll(service, messageId)
  await clock.tick(61_000)
  await refuseChanges(service, users[1]!)
  await expect(sweep(service.deps)).rejects.toThrow('recover abandoned attempts')
  const readCodes = async () => {
    const copies = await Promise.all(messages.map((messageId) => readCopies(service, messageId)))
    return copies.map(([copy]) => copy?.error_message)
  }
  expect(await readCodes()).toEqual(['OutcomeUnknown', null, 'OutcomeUnknown'])
  await takeChanges(service)
  await sweep(service.deps)
  expect(await readCodes()).toEqual(['OutcomeUnknown', 'OutcomeUnknown', 'OutcomeUnknown'])
})

test('of what is decided while nobody sends, one piece that cannot be decided keeps no other', async ({ service }) => {
  const { deps } = service
  const users = await usersWithPhones(service, 3)
  const messages: number[] = []
  for (const user of users) messages.push(await send(service, [user], { promotional: false }))
  await deps.db.updateTable('provider_state').set({ breaker: 'halted' }).execute()
  onTestFinished(() => calmDown(service))
  await refuseChanges(service, users[1]!)
  await expect(decideAhead(deps)).rejects.toThrow('not this one')
  const readEntered = async () => {
    const entries = deps.db.selectFrom('entries').select('message_id').where('message_id', 'in', messages)
    return (await entries.orderBy('message_id').execute()).map((entry) => entry.message_id)
  }
  expect(await readEntered()).toEqual([messages[0], messages[2]])
  await takeChanges(service)
  await decideAhead(deps)
  expect(await readEntered()).toEqual(messages)
})

test('of receipts that come together, those that cannot be stored keep none of another request', async ({
  service,
}) => {
  const users = await usersWithPhones(service, 3)
  const messages: number[] = []
  for (const user of users) {
    messages.push(await send(service, [user]))
    await drain(service)
  }
  await refuseChanges(service, users[1]!)
  await expect(askForReceipts(service)).rejects.toThrow('not this one')
  const readDelivered = async () => {
    const copies = await Promise.all(messages.map((messageId) => readCopies(service, messageId)))
    return copies.map(([copy]) => copy?.is_delivered)
  }
  expect(await readDelivered()).toEqual([true, null, true])
  await takeChanges(service)
  await askForReceipts(service)
  expect(await readDelivered()).toEqual([true, true, true])
})

/** The batches of a person cannot be changed. */
async function refuseChanges({ deps }: Service, { userId }: GivenUser): Promise<void> {
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refuse before update on batches for each row
      when (${sql.lit(userId)} = any(new.user_ids)) execute function refuse()`.execute(deps.db)
}

async function takeChanges({ deps }: Service): Promise<void> {
  await sql`drop trigger refuse on batches; drop function refuse`.execute(deps.db)
}
