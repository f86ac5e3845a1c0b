import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { askForReceipts } from '../../../test/support/lived-in.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { fromNow } from '../../platform/shared/clock.ts'
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
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refuse before update on batches for each row
      when (${sql.lit(users[1]!.userId)} = any(new.user_ids)) execute function refuse()`.execute(deps.db)
  await expect(sweep(deps)).rejects.toThrow('end what is past its time limit')
  const left = () => deps.db.selectFrom('work').select('message_id').execute()
  expect(await left()).toEqual([{ message_id: messages[1] }])
  await sql`drop trigger refuse on batches; drop function refuse`.execute(deps.db)
  await sweep(deps)
  expect(await left()).toEqual([])
  for (const messageId of messages) await expectTruth(service, messageId)
})
