// Slow: a database of its own.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { createContact } from '../../platform/jobs/contact.ts'
import { createWakeSignal } from '../../platform/jobs/wake-signal.ts'
import { toHome } from '../records/home.queries.ts'
import { startPoller } from './poller.ts'

const HOMES = 4
let service: Service
const asked = new Set<number>()

beforeAll(async () => {
  service = await startService({}, { homes: HOMES })
  const { pool } = service.deps
  const find = pool.findNode!
  pool.findNode = (home) => {
    asked.add(home)
    return find(home)
  }
})

beforeEach(() => asked.clear())

afterAll(() => service.close())

/** Until a worker has looked for work once. */
async function poll(): Promise<void> {
  const noted = Promise.withResolvers<void>()
  const ending = new AbortController()
  const parts = {
    lanes: new Map([['expo', { transactional: createWakeSignal(), campaign: createWakeSignal() }]]),
    badges: () => undefined,
    ahead: () => undefined,
    contact: { ...createContact(), noteContact: noted.resolve },
    hears: () => true,
  }
  const polling = startPoller(service.deps, parts, ending.signal)
  await noted.promise
  ending.abort()
  await polling
}

test('a worker asks no home while no message runs', async () => {
  await poll()
  await drain(service)
  expect(asked).toEqual(new Set())
})

test('a push to one person asks their home alone, until its message is completed', async () => {
  const users = await usersWithPhones(service, 1)
  const home = toHome(service.deps.db, users[0]!.userId)
  const messageId = await send(service, users, { promotional: false })
  await poll()
  expect(asked).toEqual(new Set([home]))
  await drain(service)
  expect(asked).toEqual(new Set([home]))
  const message = service.deps.db.selectFrom('messages').select('status').where('message_id', '=', messageId)
  expect(await message.executeTakeFirst()).toEqual({ status: 'completed' })
})

test('a message to several people asks all', async () => {
  await send(service, await usersWithPhones(service, 2), { promotional: false })
  await poll()
  expect(asked.size).toBe(HOMES)
  await drain(service)
})
