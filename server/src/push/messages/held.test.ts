// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  AUTOMATIC,
  calmDown,
  expectTrueBadges,
  expectTruth,
  pushesTo,
  tell,
  usersWithPhones,
} from '../../../test/support/campaign.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { readUpTo, sendSwapMessage } from '../../marketplace/chat/chat.ts'
import { moveSwap } from '../../marketplace/swaps/move.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { workIn, type Work } from '../../platform/work/work.ts'
import { sweepChores } from '../pipeline/sweep.ts'
import { emptyMessagesOfPeople } from '../records/messages.queries.ts'
import { toHome } from '../records/home.queries.ts'
import { sendEach } from './automatic.ts'
import { countHeld, giveHeld } from './held.ts'

const write = (swapId: number, text: string) => (work: Work) => sendSwapMessage(work, { swapId, text })

// On a database of four homes, of which a change takes one for away. `away-campaigns.test.ts` takes a server away.
describe('what happens for people whose home is away', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({}, { homes: 4 })
  })
  beforeEach(() => calmDown(service))
  afterAll(() => service.close())

  const whileAway = <T>({ userId }: GivenUser, change: (work: Work) => Promise<T>, by?: GivenUser) => {
    const { deps } = service
    const actor = { ...THE_SERVICE, ...(by && { userId: by.userId }) }
    return inTransaction(deps.db, (tx) => change(workIn(deps, tx, actor, (home) => home === toHome(tx, userId))))
  }

  const textsTo = async (person: GivenUser) => (await pushesTo(service, person)).map(({ body }) => body)
  const titlesTo = async (person: GivenUser) => (await pushesTo(service, person)).map(({ title }) => title)

  const giveAll = async () => {
    await giveHeld(service.deps)
    await countHeld(service.deps)
    await drain(service)
  }

  const readBadge = async ({ headers }: GivenUser) =>
    (await service.app.inject({ url: '/api/v1/badge', headers })).json<{ data: { chats: object } }>().data.chats

  const setOf = async (messageId: number, set: string) => {
    await sql`update messages set ${sql.raw(set)} where message_id = ${messageId}`.execute(service.deps.db)
  }

  const readState = async (messageId: number) => {
    const { rows } = await sql<{ status: string; batches: number; known: number }>`
      select status, (select count(*)::int from batches b where b.message_id = m.message_id) as batches,
        (select count(*)::int from home_messages h where h.message_id = m.message_id) as known
      from messages m where message_id = ${messageId}`.execute(service.deps.db)
    return rows[0]
  }

  const hold = async (person: GivenUser) => {
    const [messageId] = await whileAway(person, (work) => sendEach(work, [{ ...AUTOMATIC, userIds: [person.userId] }]))
    await drain(service)
    return messageId!
  }

  test('a message is held on the coordinator, and reaches its person once', async () => {
    const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
    const messageId = await hold(person)
    expect(await readState(messageId)).toEqual({ status: 'sending', batches: 0, known: 0 })
    const chores = sweepChores(service.deps, () => true)
    await chores['complete finished messages']!()
    expect(await readState(messageId)).toMatchObject({ status: 'sending' })
    await Promise.all([giveHeld(service.deps), giveHeld(service.deps)])
    await drain(service)
    expect(await textsTo(person)).toEqual(['There'])
    await expectTruth(service, messageId)
    expect(await readState(messageId)).toEqual({ status: 'completed', batches: 1, known: 1 })
  })

  test('of several people, those of other homes get it at once', async () => {
    const people = await usersWithPhones(service, 8)
    const [person] = people as [GivenUser]
    const userIds = people.map(({ userId }) => userId)
    const [messageId, none] = await whileAway(person, (work) =>
      sendEach(work, [
        { ...AUTOMATIC, userIds },
        { ...AUTOMATIC, userIds: [] },
      ]),
    )
    expect(none).toBeNull()
    await drain(service)
    const { db } = service.deps
    const isHeld = ({ userId }: GivenUser) => toHome(db, userId) === toHome(db, person.userId)
    expect(people.some((one) => !isHeld(one))).toBe(true)
    const countEach = async () => (await Promise.all(people.map(textsTo))).map((texts) => texts.length)
    expect(await countEach()).toEqual(people.map((one) => (isHeld(one) ? 0 : 1)))
    await giveAll()
    expect(await countEach()).toEqual(people.map(() => 1))
    await expectTruth(service, messageId!)
  })

  test('lines of a chat become one push, and the badge counts them when the home is back', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    service.simulator.reset()
    for (const text of ['One', 'Two']) await whileAway(owner, write(swapId, text), requester)
    await commitAs(requester, service.deps, sendSwapMessage, { swapId, text: 'Three' })
    await drain(service)
    expect(await titlesTo(owner)).toEqual([])
    expect(await readBadge(owner)).toEqual({ [swapId]: 3 })
    await giveAll()
    expect(await titlesTo(owner)).toEqual([expect.stringMatching(/^3 new messages/)])
    await expectTrueBadges(service)
  })

  test('who reads a chat, meanwhile or before the sweep, has the right badge', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    const { swap_message_id: first } = await whileAway(owner, write(swapId, 'One'), requester)
    const { swap_message_id: second } = await whileAway(owner, write(swapId, 'Two'), requester)
    await whileAway(owner, (work) => readUpTo(work, { swapId, messageId: first }), owner)
    await commitAs(owner, service.deps, readUpTo, { swapId, messageId: second })
    await expectTrueBadges(service)
    await giveAll()
    await expectTrueBadges(service)
    expect(await readBadge(owner)).toEqual({})
  })

  test('a line that is not committed keeps its receiver from being counted without it', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    await whileAway(owner, write(swapId, 'One'), requester)
    await whileAway(
      owner,
      async (work) => {
        await write(swapId, 'Two')(work)
        await countHeld(service.deps)
      },
      requester,
    )
    await giveAll()
    await expectTrueBadges(service)
    expect(await readBadge(owner)).toEqual({ [swapId]: 2 })
  })

  test('a line starts a message of its own where the held one was stopped, or its time is over', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    service.simulator.reset()
    const held = async () => {
      const { rows } = await sql<{ id: number }>`
        select message_id as id from messages where merge_key = ${`chat-${swapId}`}
        order by started_at desc limit 1`.execute(service.deps.db)
      return rows[0]!.id
    }
    await whileAway(owner, write(swapId, 'One'), requester)
    const stopped = await held()
    await setOf(stopped, `status = 'stopped'`)
    await whileAway(owner, write(swapId, 'Two'), requester)
    const over = await held()
    await setOf(over, `expires_at = 'epoch'`)
    await whileAway(owner, write(swapId, 'Three'), requester)
    expect(new Set([stopped, over, await held()]).size).toBe(3)
    await giveAll()
    await service.clock.tick(121_000)
    await drain(service)
    expect(await titlesTo(owner)).toHaveLength(1)
  })

  test('the least time between lines of a chat holds for what was held', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    await commitAs(requester, service.deps, sendSwapMessage, { swapId, text: 'One' })
    await drain(service)
    service.simulator.reset()
    await whileAway(owner, write(swapId, 'Two'), requester)
    await giveAll()
    expect(await titlesTo(owner)).toEqual([])
    await service.clock.tick(61_000)
    await drain(service)
    expect(await titlesTo(owner)).toHaveLength(1)
  })

  test('what is held about a swap that has moved on since is not sent', async () => {
    const { owner, requester, swapId } = await givenProposal(service)
    await drain(service)
    service.simulator.reset()
    await whileAway(requester, (work) => moveSwap(work, { swapId, move: 'accept' }), owner)
    await commitAs(owner, service.deps, moveSwap, { swapId, move: 'cancel' })
    await giveAll()
    expect(await textsTo(requester)).toEqual(['Your swap was cancelled.'])
  })

  test('who is purged meanwhile gets nothing, and the message is over', async () => {
    const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
    const messageId = await hold(person)
    await inTransaction(service.deps.db, async (tx) => {
      await emptyMessagesOfPeople(tx, [person.userId])
      await sql`delete from users where user_id = ${person.userId}`.execute(tx)
    })
    await giveAll()
    await sweepChores(service.deps, () => true)['complete finished messages']!()
    expect(await readState(messageId)).toMatchObject({ status: 'completed', batches: 0 })
    expect(await textsTo(person)).toEqual([])
  })

  test('a later message does not wait for those that are held', async () => {
    const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
    await hold(person)
    const messageId = await tell(service, [person], { content: () => ({ title: 'Hello', text: 'Later' }) })
    await drain(service)
    expect(await textsTo(person)).toEqual(['Later'])
    await giveAll()
    expect(await textsTo(person)).toEqual(['Later', 'There'])
    await expectTruth(service, messageId)
  })
})
