// Slow: two services of their own, one of them with the doubles of Apple and Google.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectTruth, readCopies, send, untilRetry } from '../../../test/support/campaign.ts'
import { directWorld } from '../../../test/support/direct-world.ts'
import { drain } from '../../../test/support/drain.ts'
import { countedRows, storedCounts } from '../../../test/support/ledger.ts'
import { startFiveProviders } from '../../../test/support/five-providers.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { askStatus } from '../../../test/support/halts.ts'
import { setShare } from '../../../test/support/roll-outs.ts'
import type { PushOutcome } from '../provider/provider.ts'

const APPLE = 'apns/swapbell/production'
const GOOGLE = 'fcm/swapbell'

test('a push of which nothing is known leaves by the other way of its phone, and names the same banner there', async () => {
  const { service, apple, google, toAddress } = await directWorld()
  const url = '/api/user/save-phone-token'
  const givenPhone = async (kind: 'apns' | 'fcm') => {
    const user = await service.given.user()
    const expo = `ExponentPushToken[${randomUUID()}]`
    const payload = { ...toAddress(kind), fallback_token: expo, device_id: 'phone' }
    const { headers } = user
    expect((await service.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
    return { user, expo }
  }
  const [iphone, android] = [await givenPhone('apns'), await givenPhone('fcm')]
  await setShare(service, APPLE, 100)
  apple.script([{ reason: 'InternalServerError', accept: true }])
  service.simulator.script([{ match: 'send', cut: 'mid-body' }])
  const messageId = await send(service, [iphone.user, android.user])
  await drain(service)
  const [first] = apple.log()
  expect(service.simulator.log()).toMatchObject([{ token: android.expo }])
  expect(google.log()).toEqual([])

  await untilRetry(service)
  await drain(service)
  const [ofAndroid, ofIphone] = service.simulator.log()
  expect(ofIphone).toMatchObject({ token: iphone.expo, collapseId: first!.collapseId })
  expect(first!.collapseId).toMatch(/^n\d+$/)
  expect(google.log()).toMatchObject([{ tag: ofAndroid!.tag }])
  expect(apple.log()).toHaveLength(1)
  expect((await readCopies(service, messageId)).map((copy) => [copy.is_send, copy.possible_duplicates])).toEqual([
    [true, 1],
    [true, 1],
  ])
  const ways = service.deps.db.selectFrom('notifications').select('way').orderBy('notification_id')
  expect((await ways.execute()).map(({ way }) => way)).toEqual([`expo ios ${APPLE}`, `${GOOGLE} android expo`])
  expect(await storedCounts(service, messageId)).toEqual(await countedRows(service, messageId))
})

describe('A phone with two addresses', () => {
  let five: Awaited<ReturnType<typeof startFiveProviders>>

  beforeAll(async () => {
    five = await startFiveProviders()
  })

  afterAll(() => five.service.close())

  const TRY_LATER: PushOutcome = { kind: 'refused', code: 'ProviderError', retry: true }

  type Phone = { user: GivenUser; native: string; expo: string }

  async function givenPhone(): Promise<Phone> {
    const user = await five.service.given.user()
    return { user, native: `apns-token:${user.userId}`, expo: `ExponentPushToken[${user.userId}]` }
  }

  async function register({ user: { headers }, native, expo }: Phone, named: 'expo' | 'both'): Promise<void> {
    const both = { token: native, environment: 'production', fallback_token: expo }
    const payload = { ...(named === 'both' ? both : { token: expo, platform: 'ios' }), device_id: 'phone' }
    const url = '/api/user/save-phone-token'
    expect((await five.service.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
  }

  /** Gives the addresses of the phone to which pushes were taken. */
  function reached({ native, expo }: Phone) {
    const byExpo = five.service.simulator.log().filter(({ token }) => token === expo)
    return { natively: five.production.pushes.filter(({ to }) => to === native).length, byExpo: byExpo.length }
  }

  async function waitAndDrain(): Promise<void> {
    await untilRetry(five.service)
    await drain(five.service)
  }

  test('gets what waits for a provider by that one, whichever it is reached by now', async () => {
    const { service, production } = five
    const phone = await givenPhone()
    await register(phone, 'both')
    await setShare(service, APPLE, 100)
    production.answer(() => TRY_LATER)
    await send(service, [phone.user])
    await drain(service)
    production.answer(undefined)
    await setShare(service, APPLE, 0)
    service.simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded' } }])
    await send(service, [phone.user])
    await drain(service)
    expect(reached(phone)).toEqual({ natively: 1, byExpo: 0 })
    await setShare(service, APPLE, 100)
    await waitAndDrain()
    expect(reached(phone)).toEqual({ natively: 2, byExpo: 1 })
  })

  test('gets what waited for it before it named its second address', async () => {
    const { service } = five
    const phone = await givenPhone()
    await register(phone, 'expo')
    await setShare(service, APPLE, 100)
    service.simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded' } }])
    const messageId = await send(service, [phone.user])
    await drain(service)
    await register(phone, 'both')
    await waitAndDrain()
    expect(reached(phone)).toEqual({ natively: 0, byExpo: 1 })
    await expectTruth(service, messageId)
  })

  test('gets what waited for an address that it gave up no more', async () => {
    const { service, production } = five
    const phone = await givenPhone()
    await register(phone, 'both')
    production.answer(() => TRY_LATER)
    const messageId = await send(service, [phone.user])
    await drain(service)
    production.answer(undefined)
    const moved = { provider: 'apns/swapbell/sandbox' }
    await service.deps.db.updateTable('mobile_devices').set(moved).where('token', '=', phone.native).execute()
    await waitAndDrain()
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'DeviceMoved' }])
  })

  test('is tried again by the same way after a refusal, and while the other way takes nothing', async () => {
    const { service, production } = five
    await setShare(service, APPLE, 100)
    const [refused, unknown] = [await givenPhone(), await givenPhone()]
    for (const phone of [refused, unknown]) await register(phone, 'both')
    production.answer(({ to }) => (to === refused.native ? TRY_LATER : { kind: 'unknown', code: 'OutcomeUnknown' }))
    expect((await askStatus(service, 'halt', { reason: 'To see', provider: 'expo' })).statusCode).toBe(200)
    await send(service, [refused.user, unknown.user])
    await drain(service)
    production.answer(undefined)
    expect((await askStatus(service, 'resume')).statusCode).toBe(200)
    await waitAndDrain()
    for (const phone of [refused, unknown]) expect(reached(phone)).toEqual({ natively: 2, byExpo: 0 })
  })
})
