import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../provider.ts'
import { openWebPush, pushesTo, startPushService } from '../../../../test/support/web-push.ts'
import { judge, listBusy, readAnswer } from './answers.ts'

const refused = (code: string, { retry = false, ...more }: { retry?: boolean; retryAfterMs?: number } = {}) => ({
  kind: 'refused',
  code,
  retry,
  ...more,
})
const KNOWN = { ticketId: 'a', isProven: true, isAlone: true, origin: 'https://a.example', now: 0 }
const HEALTHY = { kind: 'healthy' }
const UNKNOWN = { kind: 'unknown', code: 'OutcomeUnknown' }
const HALTS = { kind: 'misconfigured', code: 'Unauthorized' }
const failing = (code: string) => ({ kind: 'failing', code })

describe('an answer to one push', () => {
  test.for<[status: number, outcome: object, health: object]>([
    [200, { kind: 'accepted' }, HEALTHY],
    [201, { kind: 'accepted' }, HEALTHY],
    [202, { kind: 'accepted' }, HEALTHY],
    [301, refused('ProviderUnavailable', { retry: true }), failing('ProviderUnavailable')],
    [400, refused('RequestRefused'), HEALTHY],
    [401, refused('InvalidCredentials', { retry: true }), HEALTHY],
    [403, refused('InvalidCredentials', { retry: true }), HEALTHY],
    [404, refused('DeviceNotRegistered'), HEALTHY],
    [405, refused('RequestRefused'), HEALTHY],
    [408, refused('ProviderUnavailable', { retry: true }), failing('ProviderUnavailable')],
    [410, refused('DeviceNotRegistered'), HEALTHY],
    [413, refused('MessageTooBig'), HEALTHY],
    [415, refused('RequestRefused'), HEALTHY],
    [429, refused('RateLimited', { retry: true, retryAfterMs: 7_000 }), HEALTHY],
    [500, UNKNOWN, failing('OutcomeUnknown')],
    [502, UNKNOWN, failing('OutcomeUnknown')],
    [503, UNKNOWN, failing('OutcomeUnknown')],
    [504, UNKNOWN, failing('OutcomeUnknown')],
  ])('%i to a proven browser is %o', async ([status, outcome, health]) => {
    const service = await startPushService()
    const provider = openWebPush({ url: service.url })
    service.script([{ status, headers: { 'retry-after': '7' } }])
    const answer = await provider.submit(pushesTo([service.subscribe()]))
    expect(answer.outcomes).toMatchObject([outcome])
    expect(answer).toMatchObject({ wasSent: [true], health })
  })

  test('has an outcome whatever it is, and a code that may be stored', () => {
    for (let status = 100; status < 600; status++)
      for (const isProven of [true, false])
        for (const body of ['', '{"reason":"VapidPkHashMismatch"}', 'UnauthorizedRegistration']) {
          const { outcome } = readAnswer({ status, body }, { ...KNOWN, isProven })
          expect(outcome.kind === 'accepted').toBe(status >= 200 && status < 300)
          if (outcome.kind !== 'accepted') expect(ERROR_CODES).toContain(outcome.code)
          const isGone = 'code' in outcome && outcome.code === 'DeviceNotRegistered'
          expect(isGone).toBe(status === 404 || status === 410)
        }
  })
})

describe.for(['google', 'mozilla', 'apple'] as const)('at %s a signature that is refused', (vendor) => {
  test('halts, where two browsers took our pushes before, and loses no push, nor one to a browser that took none', async () => {
    const service = await startPushService({ vendor })
    const [first, second, fresh] = [1, 2, 3].map(() =>
      service.subscribe({ applicationServerKey: openWebPush({}).publicKey }),
    )
    const provider = openWebPush({ url: service.url })
    const answer = await provider.submit([...pushesTo([first!, second!]), ...pushesTo([fresh!], { isProven: false })])
    expect(answer.outcomes.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      refused('InvalidCredentials', { retry: true }),
      refused('Unauthorized', { retry: true }),
      refused('Unauthorized', { retry: true }),
    ])
    expect(answer.health).toEqual({
      ...HALTS,
      advice: expect.stringContaining('restore the key with which the browsers registered'),
    })
  })

  test('says nothing of us while others take it, however often one browser refuses it', async () => {
    const service = await startPushService({ vendor })
    const provider = openWebPush({ url: service.url })
    const own = service.subscribe({ applicationServerKey: provider.publicKey })
    const [one, other] = [1, 2].map(() => service.subscribe({ applicationServerKey: openWebPush({}).publicKey }))
    for (const to of [one!, one!, own, other!, other!, own]) {
      const { outcomes, health } = await provider.submit(pushesTo([to]))
      expect(outcomes).toMatchObject([
        to === own ? { kind: 'accepted' } : refused('InvalidCredentials', { retry: true }),
      ])
      expect(health).toEqual(HEALTHY)
    }
    await provider.submit(pushesTo([one!]))
    expect((await provider.submit(pushesTo([other!]))).health).toMatchObject(HALTS)
  })

  test('is the fault of a browser that never took one: nobody halts sending with a subscription of another key', async () => {
    const service = await startPushService({ vendor })
    const provider = openWebPush({ url: service.url })
    const own = service.subscribe({ applicationServerKey: provider.publicKey })
    const foreign = service.subscribe({ applicationServerKey: openWebPush({}).publicKey })
    const answer = await provider.submit(pushesTo([foreign, own, foreign], { isProven: false }))
    const mismatch = refused('MismatchSenderId')
    expect(answer.outcomes).toMatchObject([mismatch, { kind: 'accepted' }, mismatch])
    expect(answer.health).toEqual(HEALTHY)
  })

  test('halts, where our clock is wrong by a day', async () => {
    const service = await startPushService({ vendor })
    for (const hours of [-13, 13]) {
      const provider = openWebPush({ url: service.url, now: () => Date.now() + hours * 3_600_000 })
      const { health } = await provider.submit(pushesTo([service.subscribe(), service.subscribe()]))
      const direction = hours < 0 ? 'behind' : 'ahead'
      // The seconds differ by one or two, for the request takes time.
      const advice = new RegExp(`this machine's clock is 46[78]\\d\\d s ${direction}; correct it`)
      expect(health).toEqual({ ...HALTS, advice: expect.stringMatching(advice) })
    }
  })

  test('is not what a browser that was unsubscribed brings', async () => {
    const service = await startPushService({ vendor })
    const provider = openWebPush({ url: service.url })
    const to = service.subscribe({ applicationServerKey: provider.publicKey })
    service.unsubscribe(to)
    const never = JSON.stringify({ ...(JSON.parse(to) as object), endpoint: `${service.url}/push/never` })
    const { outcomes } = await provider.submit(pushesTo([to, never]))
    expect(outcomes).toEqual([refused('DeviceNotRegistered'), refused('DeviceNotRegistered')])
    expect(service.log()).toEqual([])
  })
})

describe('the health after a submission', () => {
  const fine = { outcome: { kind: 'accepted', ticketId: 'a' }, mood: 'fine' } as const
  const busy = readAnswer({ status: 429, retryAfter: '9', body: '' }, KNOWN)
  const broken = readAnswer({ status: 503, body: '' }, KNOWN)

  test('says that a push service asks for time only when most pushes to it were too many, to more browsers than one person has', () => {
    expect(listBusy(times(busy, 20))).toEqual(new Map())
    expect(listBusy([...times(busy, 20), ...times(busy, 20)])).toEqual(new Map())
    expect(listBusy(times(busy, 21))).toEqual(new Map([['https://a.example', 9_000]]))
    expect(listBusy([...times(busy, 21), ...times(fine, 21)])).toEqual(new Map())
    expect(listBusy([...times(busy, 21), ...times(fine, 21, 'https://b.example')]).size).toBe(1)
    expect(judge(times(busy, 21))).toEqual(HEALTHY)
  })

  test('is failing only when most pushes of it failed', () => {
    expect(judge(times(broken, 1))).toEqual(failing('OutcomeUnknown'))
    expect(judge([...times(broken, 6), ...times(fine, 5)])).toEqual(failing('OutcomeUnknown'))
    expect(judge([...times(broken, 5), ...times(fine, 5)])).toEqual(HEALTHY)
  })
})

/** Each item goes to a browser of its own. */
function times<Item extends object>(item: Item, count: number, at = 'https://a.example'): (Item & { endpoint: URL })[] {
  return Array.from({ length: count }, (_, n) => ({ ...item, endpoint: new URL(`${at}/${n}`) }))
}
