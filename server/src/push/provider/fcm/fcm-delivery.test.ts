// Slow: a second or more for each test, or five for the file.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFcm, type FcmDouble } from '../../../../../simulator/src/fcm/fcm.ts'
import type { FaultName } from '../../../../../simulator/src/fcm/google-error.ts'
import { AUTHORITY } from '../../../../../simulator/src/http2/certificates.ts'
import { readCopies, send } from '../../../../test/support/campaign.ts'
import { drain } from '../../../../test/support/drain.ts'
import { CREDENTIALS, makeToken } from '../../../../test/support/fcm.ts'
import type { GivenUser } from '../../../../test/support/given.ts'
import { countedRows, storedCounts } from '../../../../test/support/ledger.ts'
import { describeProvider } from '../../../../test/support/memory-provider.ts'
import { startService, type Service } from '../../../../test/support/service.ts'
import { describeExpo } from '../registry.ts'
import { createFcmProvider } from './fcm.ts'

const PHONES = 12

let google: FcmDouble
let service: Service
let people: GivenUser[]

beforeEach(async () => {
  google = await startFcm({ quotaPerMinute: 8, credentials: CREDENTIALS })
  service = await startWithGoogle()
  people = []
  for (let n = 0; n < PHONES; n++) people.push(await givenPhone(makeToken(n + 1)))
})

afterEach(async () => {
  await service.close()
  await google.close()
})

describe('The service with Google’s own service beside Expo', () => {
  test('sends a push to each phone, which counts as delivered with its ticket', async () => {
    const messageId = await send(service, people.slice(0, 3))
    await drain(service)
    const copies = await readCopies(service, messageId)
    expect(copies).toMatchObject(Array.from({ length: 3 }, () => ({ is_send: true, is_delivered: true })))
    const tags = new Map(google.log().map(({ notification_id, tag }) => [Number(notification_id), tag]))
    expect(tags).toEqual(new Map(copies.map(({ notification_id: id }) => [id, `n${id}`])))
    expect(await storedCounts(service, messageId)).toEqual(await countedRows(service, messageId))
  })

  test('waits for the quota of the project, and then sends the rest without a double', async () => {
    const messageId = await send(service, people)
    await drain(service)
    expect(google.log()).toHaveLength(8)
    google.advance(61_000)
    await service.clock.tick(61_000)
    await drain(service)
    expect(google.state()).toMatchObject({ acceptedMessages: PHONES, duplicates: 0 })
    expect(await storedCounts(service, messageId)).toMatchObject({ sent: PHONES, delivered: PHONES, failed: 0 })
  })

  test('gives the attempt back where Firebase lacks the key of another service', async () => {
    google.setToken(makeToken(1), 'THIRD_PARTY_AUTH_ERROR')
    const messageId = await send(service, people.slice(0, 1))
    for (let turn = 0; turn < 6; turn++) {
      await drain(service)
      await service.clock.tick(61_000)
    }
    expect(google.state().sends).toBeGreaterThanOrEqual(5)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, settled_at: null }])
  })

  test('removes a phone that Google no longer knows, and no other', async () => {
    google.setToken(makeToken(2), 'UNREGISTERED')
    await send(service, people.slice(0, 4))
    await drain(service)
    expect(await removedReasons()).toEqual(['DeviceNotRegistered'])
  })

  test.for<FaultName>(['NOT_FOUND', 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH', 'INVALID_ARGUMENT', 'UNAUTHENTICATED'])(
    'removes no phone for %s, as from a wrong project',
    async (answer) => {
      google.script([{ match: 'send', answer, times: 0 }])
      await send(service, people)
      await drain(service)
      expect(await removedReasons()).toEqual([])
      expect(google.log()).toEqual([])
    },
  )

  test('halts for a wrong project, and after a correction and a resume sends what waited', async () => {
    google.script([{ match: 'send', answer: 'NOT_FOUND', times: 0 }])
    const messageId = await send(service, people.slice(0, 5))
    await drain(service)
    const { deps, given, app } = service
    const state = deps.db.selectFrom('provider_state').select('breaker').where('provider', '=', 'fcm/swapbell')
    expect(await state.executeTakeFirstOrThrow()).toEqual({ breaker: 'halted' })
    google.clearScript()
    const { headers } = await given.admin()
    const resumed = await app.inject({ method: 'POST', url: '/api/admin/push-status/resume', headers, payload: {} })
    expect(resumed.statusCode).toBe(200)
    await drain(service)
    expect(await storedCounts(service, messageId)).toMatchObject({ sent: 5, failed: 0, possible_duplicates: 0 })
  })
})

function startWithGoogle(): Promise<Service> {
  const settings = { app: 'swapbell', address: google.url, token_address: google.tokenUrl }
  const of = { name: 'fcm/swapbell', key: google.credentials, ca: AUTHORITY }
  return startService(
    {},
    {
      registry: (config) => {
        const about = { name: of.name } as Parameters<typeof describeProvider>[0]
        const create = (ground: object) =>
          createFcmProvider(settings, { ...(ground as Parameters<typeof createFcmProvider>[1]), ...of })
        return [
          describeExpo(config),
          describeProvider(about, { tokenType: 'fcm', app: 'swapbell', environment: null, create }),
        ]
      },
    },
  )
}

async function givenPhone(token: string): Promise<GivenUser> {
  const user = await service.given.user()
  const payload = { token, device_id: 'phone', app: 'swapbell' }
  const { headers } = user
  const answer = await service.app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers, payload })
  expect(answer.statusCode).toBe(200)
  return user
}

async function removedReasons(): Promise<(string | null)[]> {
  const removed = service.deps.db.selectFrom('mobile_devices').select('removed_reason')
  const rows = await removed.where('removed_reason', 'is not', null).execute()
  return rows.map(({ removed_reason }) => removed_reason)
}
