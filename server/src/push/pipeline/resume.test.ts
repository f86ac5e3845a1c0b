import { sql } from 'kysely'
import { afterEach, describe, expect } from 'vitest'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { FaultStep } from '../../../../simulator/src/script.ts'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { calmDown, readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { askStatus as ask, readStatus, WHY } from '../../../test/support/halts.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { reportHealth } from '../provider/breaker.ts'
import { applyTransition, resumeByHand } from './halt.ts'
import { fetchReceipts } from './receipts.ts'
import { sendBatches } from './submit.ts'
import { settle } from './settle.ts'

const REFUSED: FaultStep = { match: 'send', status: 401, errors: [{ code: 'UNAUTHORIZED', message: 'no' }] }
const MISCONFIGURED = { kind: 'misconfigured', code: 'Unauthorized' } as const

afterEach<{ service: Service }>(async ({ service }) => {
  await calmDown(service)
  await service.deps.db.deleteFrom('alerts').execute()
})

describe('sending that was resumed stays so', () => {
  test('though a request from before is refused late', async ({ service, clock, simulator }) => {
    const { deps } = service
    const late = Promise.withResolvers<void>()
    simulator.script([{ ...REFUSED, until: late.promise }, REFUSED])
    const slow = await send(service, await usersWithPhones(service, 1))
    const sending = sendBatches(deps, { home: 0, lane: 'campaign', limit: 1 })
    await expect.poll(() => simulator.state().sendRequests).toBe(1)
    const quick = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    expect(await readBreaker(service)).toBe('halted')

    await clock.tick(10)
    expect(await resumeByHand(deps, THE_SERVICE)).toBe(2)
    late.resolve()
    await sending
    expect(await readBreaker(service)).toBe('closed')
    expect(await openAlerts(service)).toEqual([])
    await drain(service)
    for (const messageId of [slow, quick]) {
      expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])
      await expectTruth(service, messageId)
    }
  })

  test('though a receipt of a push from before says that the credentials are wrong', async ({ service, clock }) => {
    service.simulator.script([{ match: 'send', receipts: 'error:InvalidCredentials' }])
    const before = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    await clock.tick(1_000)
    await resumeByHand(service.deps, THE_SERVICE)
    await clock.tick(16 * 60_000)
    await askDue(service)
    expect(await readCopies(service, before)).toMatchObject([{ error_message: 'InvalidCredentials' }])
    expect(await readBreaker(service)).toBe('closed')
    const paused = service.deps.db.selectFrom('provider_platforms').selectAll().where('results', '>', 0)
    expect(await paused.execute()).toEqual([])
  })

  test('although an answer to earlier pushes reports many phones gone; none of them is removed', async ({
    service,
    clock,
  }) => {
    await service.given.crowd(400)
    const { rows } = await service.deps.pool.query<{ user_id: number; token: string }>(
      `select user_id, token from mobile_devices where token like '%crowd%' order by user_id`,
    )
    for (const { token } of rows) service.simulator.setToken(token, { ticketError: 'DeviceNotRegistered' })
    const users = rows.map(({ user_id }) => ({
      userId: user_id,
      email: '',
      name: '',
      headers: { authorization: '' },
      devices: [],
    }))
    const messageId = await send(service, users)
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await clock.tick(10)
    await resumeByHand(service.deps, THE_SERVICE)
    await settle(service.deps, claim, answers)
    expect(await readBreaker(service)).toBe('closed')
    const removed = await service.deps.pool.query('select from mobile_devices where removed_at is not null')
    expect(removed.rowCount).toBe(0)
    const state = await service.deps.db.selectFrom('provider_state').selectAll().executeTakeFirstOrThrow()
    expect(state).toMatchObject({ results: 0, results_gone: 0 })
    await expectTruth(service, messageId)
  })

  test('although the process that halted it reports late: no campaign is paused, no alert raised', async ({
    service,
    clock,
  }) => {
    const { deps } = service
    const messageId = await send(service, await usersWithPhones(service, 1))
    const transition = await reportHealth(deps, [MISCONFIGURED])
    expect(transition).toBe('halted')
    await clock.tick(10)
    await resumeByHand(deps, THE_SERVICE)
    await applyTransition(deps, transition)
    expect(await openAlerts(service)).toEqual([])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])
  })
})

describe('a process that dies', () => {
  test('between the halt and its alert leaves them to the sweep, once', async ({ service, clock }) => {
    const { deps } = service
    await send(service, await usersWithPhones(service, 1))
    await reportHealth(deps, [MISCONFIGURED])
    await sweep(deps)
    await sweep(deps)
    expect(await openAlerts(service)).toMatchObject([{ code: 'Unauthorized', times: 1 }])
    await clock.tick(10)
    expect(await resumeByHand(deps, THE_SERVICE)).toBe(1)
    await sweep(deps)
    expect(await openAlerts(service)).toEqual([])
  })

  test('between the opening of the breaker, or its closing, and the alert leaves that to the sweep', async ({
    service,
  }) => {
    const { deps } = service
    const failing = { kind: 'failing', code: 'OutcomeUnknown' } as const
    await reportHealth(
      deps,
      Array.from({ length: 10 }, () => failing),
    )
    await sweep(deps)
    expect(await openAlerts(service)).toMatchObject([{ code: 'ProviderUnavailable', times: 1 }])
    await deps.db.updateTable('provider_state').set({ breaker: 'half_open' }).execute()
    await reportHealth(deps, [{ kind: 'healthy' }])
    await sweep(deps)
    expect(await openAlerts(service)).toEqual([])
  })
})

async function askDue({ deps }: Service): Promise<void> {
  await fetchReceipts(deps, { limit: 1_000, dueOnly: true }, new AbortController().signal)
}

async function readBreaker({ deps }: Service): Promise<string> {
  return (await deps.db.selectFrom('provider_state').select('breaker').executeTakeFirstOrThrow()).breaker
}

async function openAlerts({ deps }: Service) {
  return deps.db.selectFrom('alerts').selectAll().where('resolved_at', 'is', null).execute()
}

test('a resume is in the audit log with the switch, before any campaign goes on', async ({ service }) => {
  const { deps } = service
  const admin = await service.given.admin()
  const messageId = await send(service, await usersWithPhones(service, 1))
  await ask(service, 'halt', { reason: WHY })
  const { since } = await deps.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('audit_id').as('since'))
    .executeTakeFirstOrThrow()
  const resuming = await inTransaction(deps.db, async (tx) => {
    await sql`select from messages where message_id = ${messageId} for update`.execute(tx)
    const answer = ask(service, 'resume', {}, admin)
    await expect.poll(async () => (await readStatus(service)).breaker).toBe('closed')
    const entries = deps.db.selectFrom('audit_log').select(['action', 'actor_id']).where('audit_id', '>', since)
    expect(await entries.execute()).toEqual([{ action: 'sending.resume', actor_id: admin.userId }])
    return { answer }
  })
  expect((await resuming.answer).statusCode).toBe(200)
})
