import { expect } from 'vitest'
import { createHandlers } from '../../src/handlers.ts'
import { completeJob, fetchJobs } from './jobs.ts'
import { claimBatches } from '../../src/push/pipeline/claim.ts'
import { sendBatches } from '../../src/push/pipeline/submit.ts'
import { send, untilRetry } from './campaign.ts'
import { drain } from './drain.ts'
import type { GivenUser } from './given.ts'
import { givenProposal } from './marketplace.ts'
import type { Service } from './service.ts'

const CROWD = 2_000
const MINUTE = 60_000
const { signal } = new AbortController()

/** `truthful`: messages whose counters equal their rows, because nobody of them was purged. */
export type Lived = {
  admin: GivenUser
  people: GivenUser[]
  messageIds: number[]
  /** The messages with some 2,000 copies. */
  truthful: number[]
  halfSent: number
  sendToAll(service: Service, title: string): Promise<number>
}

/**
 * Campaigns that are kept, with people who were purged since, one that was stopped, one that is half sent, and what
 * waits of each kind. A batch has people of several homes, and each of these homes has several.
 */
export async function liveIn(service: Service): Promise<Lived> {
  const { deps, simulator, given } = service
  const admin = await given.admin()
  await deps.pool.query('alter table users alter user_id set increment by 397')
  const people: GivenUser[] = []
  for (let n = 0; n < 12; n++) people.push(await given.user({ devices: [{}, { platform: 'android' }] }))
  const { owner, requester, swapId } = await givenProposal(service)
  people.push(owner, requester)
  await call(service, requester, `v1/swaps/${swapId}/messages`, { text: 'Hello' })
  await deps.pool.query('alter table users alter user_id set increment by 29')
  await given.crowd(CROWD)
  const sendToAll = async (on: Service, title: string) => {
    const answer = await call(on, await on.given.admin(), 'admin/send-notification-all', { title, text: 'There' })
    return answer.json<{ data: { notification_id: number } }>().data.notification_id
  }

  simulator.script([
    { match: 'send', ticketErrors: { 5: 'DeviceNotRegistered', 6: 'ProviderError', 7: 'MessageTooBig' } },
    { match: 'send', cut: 'mid-body' },
    { match: 'send', status: 429 },
  ])
  const first = await sendToAll(service, 'First')
  for (let rounds = 0; rounds < 5; rounds++) {
    await drain(service)
    await untilRetry(service)
  }
  await askForReceipts(service)
  await react(service, people, first)
  await deps.pool.query(`delete from users where username ~ '^crowd-[0-9]*50$'`)
  // The provider knows of pushes to them, and the ledger does not any more.
  simulator.reset()

  const stopped = await sendToAll(service, 'Stopped')
  await coordinate(service)
  await sendSome(service, 10)
  await call(service, admin, `admin/promotional-notifications/${stopped}/stop`)
  await drain(service)

  const truthful = [
    await send(service, people.slice(0, 10), { title: 'Named', promotional: false }),
    await send(service, [people[3]!], { title: 'To one', promotional: false }),
  ]
  await drain(service)
  await sleepInTurn(service, 13)
  const someSleep = await sendToAll(service, 'Some sleep')
  truthful.push(await send(service, people, { title: 'Named, and one sleeps', promotional: false }))
  await drain(service)

  const halfSent = await sendToAll(service, 'Half sent')
  await coordinate(service)
  await sendSome(service, 8)
  simulator.script([{ match: 'send', cut: 'mid-body' }])
  await sendSome(service, 4)
  await claimBatches(deps, { home: 0, lane: 'campaign', limit: 6 })
  await expectOpenWork(service)
  const messages = await deps.db.selectFrom('messages').select('message_id').orderBy('message_id').execute()
  const messageIds = messages.map((row) => row.message_id)
  return {
    admin,
    people,
    messageIds,
    truthful: [...truthful, someSleep, halfSent],
    halfSent,
    sendToAll,
  }
}

export async function askForReceipts(service: Service): Promise<void> {
  await service.clock.tick(16 * MINUTE)
  const { headers } = await service.given.admin()
  // A round asks for 1,000, and leaves the rest to a later one.
  for (let rounds = 0; rounds < 8; rounds++) {
    await service.clock.tick(1_000)
    const answer = await service.app.inject({ url: '/api/admin/process-receipts', headers })
    expect(answer.statusCode).toBe(202)
    await drain(service)
  }
}

async function react(service: Service, people: readonly GivenUser[], messageId: number): Promise<void> {
  for (const [n, person] of people.entries()) {
    const { rows } = await service.deps.pool.query<{ id: number }>(
      'select notification_id as id from notifications where message_id = $1 and user_id = $2 limit 1',
      [messageId, person.userId],
    )
    if (n % 2 === 0) await call(service, person, `v1/inbox/${messageId}/read`)
    if (n % 3 === 0) await call(service, person, `notification/${rows[0]!.id}/events`, { event: 'shown' })
    if (n % 4 === 0) await call(service, person, `v1/inbox/${messageId}/archive`)
  }
}

/** Every so many people are in quiet hours, for five hours yet. */
async function sleepInTurn({ deps, clock }: Service, every: number): Promise<void> {
  const now = new Date(clock.now())
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
  await deps.pool.query(
    `insert into push_preferences (user_id, quiet_start, quiet_end, created_at, updated_at)
    select user_id, $2, $3, now(), now() from (
      select user_id, row_number() over (order by user_id) as n from users where role = 'user') u where n % $1 = 0`,
    [every, (minute + 1_430) % 1_440, (minute + 300) % 1_440],
  )
}

async function coordinate({ deps }: Service): Promise<void> {
  for (const job of await fetchJobs(deps.queue, 'coordinate', 10)) {
    await createHandlers(deps).coordinate(job.data, signal)
    await completeJob(deps.queue, 'coordinate', job)
  }
}

async function sendSome({ deps }: Service, limit: number): Promise<void> {
  await sendBatches({ ...deps, ...deps.providers[0] }, { home: 0, lane: 'campaign', limit })
}

async function expectOpenWork({ deps }: Service): Promise<void> {
  const { rows } = await deps.pool.query<Record<string, boolean>>(`
    select exists (select from requests where outcome is null) as asked,
      exists (select from requests where next_receipt_at is not null) as receipts,
      exists (select from work where provider is null and not is_entered) as undecided,
      exists (select from work where is_entered) as deferred,
      exists (select from work where provider is not null) as retried`)
  expect(rows).toEqual([{ asked: true, receipts: true, undecided: true, deferred: true, retried: true }])
}

async function call({ app }: Service, { headers }: GivenUser, path: string, payload: object = {}) {
  const answer = await app.inject({ method: 'POST', url: `/api/${path}`, headers, payload })
  expect([path, Math.floor(answer.statusCode / 100)]).toEqual([path, 2])
  return answer
}
