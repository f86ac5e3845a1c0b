import { expect } from 'vitest'
import { readCopies } from './campaign.ts'
import type { GivenUser } from './given.ts'
import { countedRows, readSkips, storedCounts } from './ledger.ts'
import { besideExpo, createMemoryProvider, memoryToken, type MemoryProvider } from './memory-provider.ts'
import { startService, type Service } from './service.ts'

/** Every request to the simulator is refused for our credentials, until the script is cleared. */
export const UNAUTHORIZED = { match: 'send' as const, status: 401, times: 0 }

/** A service with two providers: Expo's protocol, and one in memory that knows of delivery at once. */
export type TwoProviders = Awaited<ReturnType<typeof startTwoProviders>>

/** Starts it, on a database of its own. */
export async function startTwoProviders() {
  const memory = createMemoryProvider({ maxPushes: 4 })
  const service = await startService({}, { registry: besideExpo(memory.provider) })
  return {
    service,
    memory,
    person: (phones: string) => person(service, phones),
    people: async (...phones: string[]) => {
      const users = []
      for (const each of phones) users.push(await person(service, each))
      return users
    },
    copiesBy: (messageId: number) => copiesBy(service, messageId),
    expectTrue: (messageId: number) => expectTrue({ service, memory }, messageId),
    status: () => status(service),
    resume: (payload?: object) => resume(service, payload),
    messageStatus: (messageId: number) => messageStatus(service, messageId),
  }
}

/** Someone with a phone for each word: e for Expo's, m for the provider in memory. */
async function person(service: Service, phones: string): Promise<GivenUser> {
  const user = await service.given.user()
  for (const [index, kind] of phones.split('').entries()) {
    const name = `${user.userId}-${index}`
    const token = kind === 'm' ? memoryToken(name) : `ExponentPushToken[${name}]`
    const payload = { token, device_id: `phone ${index}`, platform: 'ios' }
    const url = '/api/user/save-phone-token'
    expect((await service.app.inject({ method: 'POST', url, headers: user.headers, payload })).statusCode).toBe(200)
  }
  return user
}

/** The copies of a message by the provider of their device, in the order of their ids. */
async function copiesBy(service: Service, messageId: number) {
  const copies = await readCopies(service, messageId)
  const devices = await service.deps.db.selectFrom('mobile_devices').select(['id', 'provider']).execute()
  const providers = new Map(devices.map(({ id, provider }) => [id, provider]))
  const of = (name: string) => copies.filter((copy) => providers.get(copy.mobile_devices_id) === name)
  return { expo: of('expo'), memory: of('memory') }
}

/** The counters are those of the rows, and each provider accepted what its copies say, once. */
async function expectTrue(
  { service, memory }: { service: Service; memory: MemoryProvider },
  messageId: number,
): Promise<void> {
  expect(await storedCounts(service, messageId)).toEqual(await countedRows(service, messageId))
  const skips = await readSkips(service, messageId)
  expect(skips.stored).toEqual(skips.counted)
  const { expo, memory: ofMemory } = await copiesBy(service, messageId)
  const sent = (copies: typeof expo) => copies.flatMap((copy) => (copy.is_send ? [copy.notification_id] : []))
  const ids = new Set([...expo, ...ofMemory].map((copy) => copy.notification_id))
  const ofMessage = (notificationIds: number[]) => notificationIds.filter((id) => ids.has(id)).toSorted((a, b) => a - b)
  expect(ofMessage(service.simulator.log().map((entry) => Number(entry.notification_id)))).toEqual(sent(expo))
  expect(ofMessage(memory.accepted.map(({ notificationId }) => notificationId))).toEqual(sent(ofMemory))
}

async function status({ app, given }: Service) {
  const { headers } = await given.admin()
  const answer = await app.inject({ url: '/api/admin/push-status', headers })
  return answer.json<{ data: { providers: unknown[]; alerts: unknown[] } }>().data
}

async function resume({ app, given }: Service, payload?: object) {
  const { headers } = await given.admin()
  return app.inject({
    method: 'POST',
    url: '/api/admin/push-status/resume',
    headers,
    ...(payload && { payload }),
  })
}

async function messageStatus({ deps }: Service, messageId: number) {
  const query = deps.db.selectFrom('messages').select(['status', 'pause_reason'])
  return query.where('message_id', '=', messageId).executeTakeFirstOrThrow()
}
