import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { apnsCaller, GOOD, ID, jwt, type Call } from '../../test/apns-caller.ts'

const MINUTE_MS = 60_000
const OTHER_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const seconds = (minutes: number) => Math.floor(Date.now() / 1_000) + minutes * 60
const bearer = (claims: Parameters<typeof jwt>[0]) => ({ headers: { authorization: `bearer ${jwt(claims)}` } })
const header = (name: string, value: string | undefined): Call => ({ headers: { [name]: value } })
const payload = (bytes: number) => {
  const frame = JSON.stringify({ aps: { alert: '' } })
  return { body: JSON.stringify({ aps: { alert: 'x'.repeat(bytes - frame.length) } }) }
}

describe('the double of Apple', () => {
  test('takes a good push, echoes its id, and has it in its log before the answer', async () => {
    const { double, call } = await apnsCaller()
    expect(await call()).toEqual({ status: 200, id: ID })
    expect(double.log()).toMatchObject([
      { sequence: 1, connection: 1, notification_id: 7, token: GOOD, collapseId: null, apnsId: ID },
    ])
    expect(double.counts()).toEqual({ accepted: 1, duplicates: 0, answers: { accepted: 1 }, goaways: 0 })
    await call({ headers: { 'apns-collapse-id': 'n7' } })
    expect(double.log(1)).toMatchObject([{ collapseId: 'n7' }])
    expect(double.counts().duplicates).toBe(1)
  })

  test.each<[string, Call]>([
    ['MissingProviderToken', header('authorization', undefined)],
    ['InvalidProviderToken', header('authorization', 'basic abc')],
    ['InvalidProviderToken', header('authorization', 'bearer a.b.c')],
    ['InvalidProviderToken', bearer({ kid: 'OTHER12345' })],
    ['InvalidProviderToken', bearer({ iss: 'OTHER12345' })],
    ['InvalidProviderToken', bearer({ alg: 'HS256' })],
    ['InvalidProviderToken', bearer({ key: OTHER_KEY.privateKey })],
    ['InvalidProviderToken', bearer({ iat: seconds(10) })],
    ['ExpiredProviderToken', bearer({ iat: seconds(-61) })],
    ['MissingTopic', header('apns-topic', undefined)],
    ['BadTopic', header('apns-topic', 'swapbell')],
    ['TopicDisallowed', header('apns-topic', 'com.example.other')],
    ['BadPath', { path: '/4/device/ab' }],
    ['MethodNotAllowed', { method: 'PUT' }],
    ['MissingDeviceToken', { path: '/3/device/' }],
    ['BadDeviceToken', { path: '/3/device/abc' }],
    ['BadDeviceToken', { path: `/3/device/${GOOD.toUpperCase()}` }],
    ['BadDeviceToken', { path: `/3/device/badbadba${'00'.repeat(28)}` }],
    ['BadDeviceToken', { path: `/3/device/5a4db0c5${'00'.repeat(28)}` }],
    ['DeviceTokenNotForTopic', { path: `/3/device/f00dface${'00'.repeat(28)}` }],
    ['BadMessageId', header('apns-id', ID.toUpperCase())],
    ['BadExpirationDate', header('apns-expiration', 'soon')],
    ['BadPriority', header('apns-priority', '7')],
    ['BadPriority', { headers: { 'apns-push-type': 'background', 'apns-priority': '10' } }],
    ['InvalidPushType', header('apns-push-type', 'banner')],
    ['BadCollapseId', header('apns-collapse-id', 'é'.repeat(33))],
    ['PayloadEmpty', { body: '' }],
    ['PayloadEmpty', { body: '{"alert":"a"}' }],
    ['PayloadTooLarge', payload(4_097)],
  ])('refuses with %s (%#)', async (reason, wrong) => {
    const { double, call } = await apnsCaller()
    expect(await call(wrong)).toMatchObject({ reason })
    expect(double.log()).toEqual([])
  })

  test('takes 4,096 bytes and a collapse id of 64', async () => {
    const { call } = await apnsCaller()
    expect(await call({ ...payload(4_096), headers: { 'apns-collapse-id': 'é'.repeat(32) } })).toMatchObject({
      status: 200,
    })
  })

  test('says since when a token is gone', async () => {
    const { double, now, call } = await apnsCaller()
    double.setToken(GOOD, { reason: 'Unregistered', since: 5 })
    expect(await call()).toEqual({ status: 410, id: ID, reason: 'Unregistered', timestamp: 5 })
    expect(await call({ path: `/3/device/deadbeef${'00'.repeat(28)}` })).toMatchObject({
      status: 410,
      timestamp: now.ms - 60 * MINUTE_MS,
    })
  })

  test('has tokens of its own in the sandbox', async () => {
    const { call } = await apnsCaller({}, 'sandbox')
    expect(await call()).toMatchObject({ reason: 'BadDeviceToken' })
    expect(await call({ path: `/3/device/5a4db0c5${'00'.repeat(28)}` })).toMatchObject({ status: 200 })
  })

  test('allows one stream until a good push, and again after a refusal but a 410', async () => {
    const { double, session, limit, call } = await apnsCaller({ streams: 500 })
    const changed = () => once(session, 'remoteSettings')
    expect(limit()).toBe(1)
    await Promise.all([changed(), call()])
    expect(limit()).toBe(500)
    double.script([{ reason: 'Unregistered' }, { reason: 'TooManyRequests' }])
    await call()
    expect(limit()).toBe(500)
    await Promise.all([changed(), call()])
    expect(limit()).toBe(1)
    await Promise.all([changed(), call()])
    expect(limit()).toBe(500)
  })

  test('ends a connection after ten bad tokens, and says why', async () => {
    const { double, session, call } = await apnsCaller()
    const goaway = once(session, 'goaway')
    for (let n = 0; n < 10; n++) await call({ path: `/3/device/badbadba${'00'.repeat(28)}` })
    const [code, last, data] = (await goaway) as [number, number, Buffer]
    expect([code, last, data.toString()]).toEqual([0, 19, '{"reason":"BadDeviceToken"}'])
    expect(double.counts()).toMatchObject({ goaways: 1, answers: { BadDeviceToken: 10 } })
  })

  test('refuses a second provider token within 20 minutes, and then both', async () => {
    const { now, call } = await apnsCaller()
    const [first, second] = [bearer({}), bearer({ iat: seconds(-1) })]
    expect(await call(first)).toMatchObject({ status: 200 })
    expect(await call(second)).toMatchObject({ reason: 'TooManyProviderTokenUpdates' })
    expect(await call(first)).toMatchObject({ reason: 'TooManyProviderTokenUpdates' })
    now.ms += 20 * MINUTE_MS
    expect(await call(second)).toMatchObject({ status: 200 })
  })

  test('binds a connection to its key', async () => {
    const pem = OTHER_KEY.publicKey.export({ type: 'spki', format: 'pem' }) as string
    const own = { team: 'TEAMID1234', topics: ['com.example.swapbell'], environment: 'production' as const }
    const keys = [
      { ...own, keyId: 'KEYID12345', key: pem },
      { ...own, keyId: 'OTHER12345', key: pem, environment: 'sandbox' as const },
      { ...own, keyId: 'THIRD12345', key: pem },
      { ...own, keyId: 'TOPIC12345', key: pem, topics: [] },
    ]
    const { call } = await apnsCaller({ keys })
    const by = (kid: string) => bearer({ kid, key: OTHER_KEY.privateKey })
    expect(await call(by('OTHER12345'))).toMatchObject({ reason: 'BadEnvironmentKeyInToken' })
    expect(await call(by('KEYID12345'))).toMatchObject({ status: 200 })
    expect(await call(by('THIRD12345'))).toMatchObject({ reason: 'UnrelatedKeyIdInToken' })
    const other = await apnsCaller({ keys })
    expect(await other.call(by('TOPIC12345'))).toMatchObject({ reason: 'TopicDisallowed' })
  })

  test('keeps the latest push to a phone that is off, unless it has ended', async () => {
    const { double, now, call } = await apnsCaller()
    double.setToken(GOOD, { isAway: true })
    const until = (minutes: number) => header('apns-expiration', String(Math.floor(now.ms / 1_000) + minutes * 60))
    for (const minutes of [10, 20]) await call(until(minutes))
    await call(header('apns-expiration', '0'))
    expect(double.comeBack(GOOD)).toMatchObject([{ token: GOOD, payload: { body: { notification_id: 7 } } }])
    expect(double.comeBack(GOOD)).toEqual([])
    double.setToken(GOOD, { isAway: true })
    await call(until(10))
    now.ms += 11 * MINUTE_MS
    expect(double.comeBack(GOOD)).toEqual([])
    expect(double.log()).toHaveLength(4)
  })

  test('answers by script, and logs what the script accepts', async () => {
    const { double, call } = await apnsCaller()
    double.script([
      { reason: 'InternalServerError', accept: true },
      { reason: 'Shutdown', every: 2, times: 0 },
    ])
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await call()).status)
    expect(statuses).toEqual([500, 200, 503, 200, 503])
    expect(double.log()).toHaveLength(3)
    double.clearScript()
    expect(await call()).toMatchObject({ status: 200 })
  })

  test('accepts by script no push to a device that there is not', async () => {
    const { double, call } = await apnsCaller()
    double.script([{ reason: 'InternalServerError', accept: true }])
    expect(await call({ path: `/3/device/${'0123456789abcdef'.repeat(4)}` })).toMatchObject({ status: 500 })
    expect(double.log()).toEqual([])
  })
})
