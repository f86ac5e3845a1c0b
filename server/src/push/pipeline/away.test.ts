// Slow: random histories, or many who do the same at once.
import { afterEach, describe, expect } from 'vitest'
import type { FaultStep } from '../../../../simulator/src/script.ts'
import { test } from '../../../test/support/app.ts'
import { readBatches } from '../../../test/support/batches.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import type { Deps } from '../../deps.ts'
import { createExpoProvider } from '../provider/expo/expo.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('a provider that cannot be reached', () => {
  test.for(['http://127.0.0.1:1', 'http://no-such-host.invalid'])(
    'at %s costs one small send no attempt, however long it is away',
    async (address, { service, clock }) => {
      const messageId = await send(service, await usersWithPhones(service, 2))
      const away = awayAt(service, address)
      for (let minute = 0; minute < 20; minute++) {
        await drain({ deps: away })
        await clock.tick(MINUTE)
      }
      expect(await readCopies(service, messageId)).toMatchObject([
        { is_send: false, error_message: 'ProviderUnavailable', settled_at: null, possible_duplicates: 0, attempts: 0 },
        { is_send: false, settled_at: null, attempts: 0 },
      ])
      expect(await readBatches(service, messageId)).toMatchObject([{ status: 'waiting', attempts: 0 }])

      await drain(service)
      await untilRetry(service)
      await drain(service)
      expect(await readCopies(service, messageId)).toMatchObject([
        { is_send: true, attempts: 1 },
        { is_send: true, attempts: 1 },
      ])
      expect(await readBatches(service, messageId)).toMatchObject([{ status: 'done', attempts: 1 }])
      await expectTruth(service, messageId)
    },
  )

  test.for<[string, FaultStep]>([
    [
      'redirects elsewhere',
      { match: 'send', status: 302, headers: { location: 'https://elsewhere.example' }, body: 'empty', accept: false },
    ],
    ['knows nothing of pushes', { match: 'send', status: 404 }],
  ])('or %s costs no attempt, and is asked once a minute', async ([, fault], { service, clock, simulator }) => {
    simulator.script([{ ...fault, times: 0 }])
    const messageId = await send(service, await usersWithPhones(service, 1))
    for (let minute = 0; minute < 10; minute++) {
      await drain(service)
      await clock.tick(MINUTE)
    }
    expect(simulator.state().sendRequests).toBeLessThanOrEqual(13)
    expect(await readBatches(service, messageId)).toMatchObject([{ status: 'waiting', attempts: 0 }])
    simulator.clearScript()
    await clock.tick(MINUTE)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, possible_duplicates: 0 }])
    await expectTruth(service, messageId)
  })

  test('opens the breaker at the third connection of a small send, within seconds; then there are only probes', async ({
    service,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    const away = awayAt(service)
    for (let second = 0; second < 20; second++) {
      await drain({ deps: away })
      await clock.tick(SECOND)
    }
    expect(await readSubmissions(service, messageId)).toBe(3)
    const state = await service.deps.db.selectFrom('provider_state').selectAll().executeTakeFirstOrThrow()
    expect(state).toMatchObject({ breaker: 'open', breaker_code: 'ProviderUnavailable' })
  })

  test('is not called in a hot loop: a batch that failed waits, although its attempt is given back', async ({
    service,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    const impatient = { ...awayAt(service), config: { ...service.deps.config, PUSH_RETRY_DELAY_SECONDS: 0 } }
    await drain({ deps: impatient })
    expect(await readSubmissions(service, messageId)).toBe(1)
    const work = service.deps.db.selectFrom('work').select('due_at').where('message_id', '=', messageId)
    const { due_at } = await work.executeTakeFirstOrThrow()
    expect(due_at.getTime()).toBeGreaterThanOrEqual(service.clock.now() + SECOND)
  })

  test('for longer than the message lives ends it as Expired, although nothing is sent', async ({ service, clock }) => {
    const messageId = await send(service, await usersWithPhones(service, 1))
    const untouched = await send(service, await usersWithPhones(service, 2), { promotional: false })
    const away = { ...awayAt(service), config: { ...service.deps.config, PUSH_CONCURRENCY: 1 } }
    await service.deps.db
      .updateTable('work')
      .set({ due_at: new Date(clock.now() + 30 * HOUR) })
      .where('message_id', '=', untouched)
      .execute()
    for (let step = 0; step < 3; step++) {
      await drain({ deps: away })
      await clock.tick(10 * SECOND)
    }
    await clock.setTime(clock.now() + 25 * HOUR)
    await sweep(service.deps)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'MessageExpired' }])
    expect(await readCopies(service, untouched)).toMatchObject([{ error_message: 'MessageExpired' }, {}])
    for (const id of [messageId, untouched]) {
      expect(await readStatus(service, id)).toBe('completed')
      await expectTruth(service, id)
    }
  })

  test('but answered before uses an attempt only for pushes that the answer left unknown', async ({
    service,
    clock,
  }) => {
    service.simulator.script([{ match: 'send', status: 503 }])
    const messageId = await send(service, await usersWithPhones(service, 1))
    await drain(service)
    await clock.tick(61 * SECOND)
    await drain({ deps: awayAt(service) })
    expect(await readBatches(service, messageId)).toMatchObject([{ status: 'waiting', attempts: 1 }])
    expect(await readCopies(service, messageId)).toMatchObject([{ error_message: 'ProviderUnavailable', attempts: 1 }])
    await untilRetry(service)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, possible_duplicates: 1, attempts: 2 }])
    expect(service.simulator.state().sendRequests).toBe(2)
    await expectTruth(service, messageId)
  })
})

/** The service's parts with a provider at an address where nobody answers. */
function awayAt({ deps }: Service, address = 'http://127.0.0.1:1'): Deps {
  const provider = createExpoProvider({ ...deps.config, EXPO_BASE_URL: address })
  return { ...deps, providers: [{ ...deps.providers[0], provider }] }
}

/** The requests that were written down for the batches of a message. */
async function readSubmissions({ deps }: Service, messageId: number): Promise<number> {
  const { rows } = await deps.pool.query<{ n: number }>(
    'select count(*)::int as n from requests where $1 = any(message_ids)',
    [messageId],
  )
  return rows[0]?.n ?? 0
}

async function readStatus({ deps }: Service, messageId: number): Promise<string | undefined> {
  const query = deps.db.selectFrom('messages').select('status').where('message_id', '=', messageId)
  return (await query.executeTakeFirst())?.status
}
