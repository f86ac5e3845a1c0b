// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  calmDown,
  expectTrueBadges,
  expectTruth,
  pushesTo,
  tell,
  usersWithPhones,
} from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { workIn, type Work } from '../../platform/work/work.ts'
import { completeFinishedMessages, emptyMessagesOfPeople } from '../records/messages.queries.ts'
import { toHome } from '../records/home.queries.ts'
import { sendEach } from './automatic.ts'
import { giveHeld } from './held.ts'

// On a database of four homes, of which a change takes one for away. `away-campaigns.test.ts` takes a server away.
describe('what happens for people whose home is away', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({}, { homes: 4 })
  })
  beforeEach(() => calmDown(service))
  afterAll(() => service.close())

  const whileAway = <T>(
    { userId }: GivenUser,
    by: Pick<GivenUser, 'userId'> | undefined,
    change: (work: Work) => Promise<T>,
  ) => {
    const { deps } = service
    const actor = { ...THE_SERVICE, ...(by && { userId: by.userId }) }
    return inTransaction(deps.db, (tx) => change(workIn(deps, tx, actor, new Set([toHome(tx, userId)]))))
  }

  const textsTo = async (person: GivenUser) => (await pushesTo(service, person)).map(({ body }) => body)

  const countTo = async (person: GivenUser) => (await textsTo(person)).length

  const countBatches = async (messageId: number) => {
    const { rows } = await sql<{ batches: number; known: number }>`
      select (select count(*)::int from batches where message_id = ${messageId}) as batches,
        (select count(*)::int from home_messages where message_id = ${messageId}) as known`.execute(service.deps.db)
    return rows[0]
  }

  const announce = {
    event: 'swap_status',
    senderId: null,
    content: () => ({ title: 'Hello', text: 'There' }),
    place: { screen: 'notifications' },
    about: null,
    mergeKey: null,
  } as const

  test('a message waits on the coordinator, and reaches its person once', async () => {
    const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
    const [messageId] = await whileAway(person, undefined, (work) =>
      sendEach(work, [{ ...announce, userIds: [person.userId] }]),
    )
    await drain(service)
    expect(await countBatches(messageId!)).toEqual({ batches: 0, known: 0 })
    expect(await textsTo(person)).toEqual([])
    await Promise.all([giveHeld(service.deps), giveHeld(service.deps)])
    await drain(service)
    expect(await textsTo(person)).toEqual(['There'])
    await expectTruth(service, messageId!)
  })

  test('of several people, those of other homes get it at once', async () => {
    const people = await usersWithPhones(service, 8)
    const [person] = people as [GivenUser]
    const userIds = people.map(({ userId }) => userId)
    const [messageId, none] = await whileAway(person, undefined, (work) =>
      sendEach(work, [
        { ...announce, userIds },
        { ...announce, userIds: [] },
      ]),
    )
    expect(none).toBeNull()
    await drain(service)
    const { db } = service.deps
    const isHeld = ({ userId }: GivenUser) => toHome(db, userId) === toHome(db, person.userId)
    expect(people.some((one) => !isHeld(one))).toBe(true)
    expect(await Promise.all(people.map(countTo))).toEqual(people.map((one) => (isHeld(one) ? 0 : 1)))
    await giveHeld(service.deps)
    await drain(service)
    expect(await Promise.all(people.map(countTo))).toEqual(people.map(() => 1))
    await expectTruth(service, messageId!)
  })

  test('lines of a chat become one push, and the badge counts them when the home is back', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    service.simulator.reset()
    for (const text of ['One', 'Two'])
      await whileAway(owner, requester, (work) => sendSwapMessage(work, { swapId, text }))
    await inTransaction(service.deps.db, (tx) =>
      sendSwapMessage(workIn(service.deps, tx, { ...THE_SERVICE, userId: requester.userId }), {
        swapId,
        text: 'Three',
      }),
    )
    await giveHeld(service.deps)
    await drain(service)
    expect(await pushesTo(service, owner)).toMatchObject([{ title: expect.stringContaining('3') }])
    await expectTrueBadges(service)
    const badge = await service.app.inject({ url: '/api/v1/badge', headers: owner.headers })
    expect(badge.json().data).toMatchObject({ chats: { [swapId]: 3 } })
  })

  test('who is purged meanwhile gets nothing, and the message is over', async () => {
    const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
    const [messageId] = await whileAway(person, undefined, (work) =>
      sendEach(work, [{ ...announce, userIds: [person.userId] }]),
    )
    await inTransaction(service.deps.db, async (tx) => {
      await emptyMessagesOfPeople(tx, [person.userId])
      await sql`delete from users where user_id = ${person.userId}`.execute(tx)
    })
    await giveHeld(service.deps)
    await drain(service)
    expect(await countBatches(messageId!)).toMatchObject({ batches: 0 })
    expect(await textsTo(person)).toEqual([])
    await completeFinishedMessages(service.deps.db, [messageId!], new Date())
    const { rows } = await sql<{ status: string }>`
      select status from messages where message_id = ${messageId}`.execute(service.deps.db)
    expect(rows).toEqual([{ status: 'completed' }])
  })

  test('a later message does not wait for those that wait', async () => {
    const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
    await whileAway(person, undefined, (work) => sendEach(work, [{ ...announce, userIds: [person.userId] }]))
    const messageId = await tell(service, [person], { content: () => ({ title: 'Hello', text: 'Later' }) })
    await drain(service)
    expect(await textsTo(person)).toEqual(['Later'])
    await giveHeld(service.deps)
    await drain(service)
    expect(await textsTo(person)).toEqual(['Later', 'There'])
    await expectTruth(service, messageId)
  })
})
