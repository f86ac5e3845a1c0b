import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, send, usersWithPhones } from '../../../test/support/campaign.ts'
import type { Service } from '../../../test/support/service.ts'
import { startTwoProviders } from '../../../test/support/two-providers.ts'
import { createWakeSignal } from '../../platform/jobs/wake-signal.ts'
import { countWaitingCopies } from '../ledger/work.queries.ts'
import { decideAhead, startAhead } from './ahead.ts'

describe('What decides ahead', () => {
  test('leaves to the lanes what a provider sends', async ({ service }) => {
    const messageId = await send(service, await usersWithPhones(service, 1), { promotional: false })
    await decideAtStart(service)
    expect(await readProviders(service, messageId)).toEqual([null])
  })

  test('tells the lanes of the work that it made, so that a provider that comes back has it', async ({ service }) => {
    const { db, queue } = service.deps
    const messageId = await send(service, await usersWithPhones(service, 1), { promotional: false })
    await db.updateTable('provider_state').set({ breaker: 'halted' }).execute()
    const told = queue.announced.wakes()
    await decideAtStart(service)
    expect(await readProviders(service, messageId)).toEqual(['expo'])
    expect(queue.announced.wakes()).toBeGreaterThan(told)
    await calmDown(service)
  })

  test('decides only while all providers are away: the lanes of another decide for all', async () => {
    const two = await startTwoProviders()
    onTestFinished(() => two.service.close())
    const { service } = two
    const halt = service.deps.db.updateTable('provider_state').set({ breaker: 'halted' })
    await halt.where('provider', '=', 'expo').execute()
    await service.deps.pool.query(`insert into provider_state (provider) values ('not in use')`)
    const messageId = await send(service, await two.people('em'), { promotional: false })
    await decideAhead(service.deps)
    expect(await readProviders(service, messageId)).toEqual([null])
    await halt.where('provider', '=', 'memory').execute()
    await decideAhead(service.deps)
    expect(await readProviders(service, messageId)).toEqual(['expo', 'memory'])
  })

  test('does not count what waits for a provider that is not configured', async ({ service }) => {
    const { deps } = service
    await send(service, await usersWithPhones(service, 2), { promotional: false })
    await deps.db.updateTable('provider_state').set({ breaker: 'halted' }).execute()
    await decideAhead(deps)
    expect(await countWaitingCopies(deps.db, ['expo'], 10)).toBe(4)
    await deps.db.updateTable('work').set({ provider: 'fcm/old' }).execute()
    expect(await countWaitingCopies(deps.db, ['expo'], 10)).toBe(0)
    await calmDown(service)
  })
})

/** Decides as a worker does when it starts, until it rests. */
async function decideAtStart({ deps }: Service): Promise<void> {
  const ending = new AbortController()
  const rests = Promise.withResolvers<void>()
  const work = createWakeSignal()
  const wait: typeof work.wait = async (...settings) => {
    rests.resolve()
    await work.wait(...settings)
  }
  const ended = startAhead(deps, { ...work, wait }, ending.signal)
  await rests.promise
  ending.abort()
  await ended
}

async function readProviders({ deps }: Service, messageId: number): Promise<(string | null)[]> {
  const work = deps.db.selectFrom('work').select('provider').where('message_id', '=', messageId).orderBy('provider')
  return (await work.execute()).map(({ provider }) => provider)
}
