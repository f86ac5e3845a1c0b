import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { payloadBytes } from '../provider/expo/expo-protocol.ts'
import { AppError } from '../../platform/shared/errors.ts'
import { checkContent, toPushContent } from '../messages/content.ts'
import { firstReceiptAt, nextReceiptAt, RECEIPTS_KEPT_MS } from './receipts.ts'
import { toState, STATES, type StateFacts } from '../records/states.ts'

const platforms = ['ios', 'android'] as const
const deps = {
  providers: [{ provider: { name: 'expo', payloadBytes, platforms } }],
  config: { LINK_SCHEMES: ['swapbell', 'https'] },
}

describe('content', () => {
  test('that fits never grows above 4 KB, whatever its id and platform', () => {
    const sized = fc.record({
      title: fc.string({ minLength: 1, maxLength: 200 }),
      text: fc.string({ minLength: 1, maxLength: 3_900, unit: 'grapheme' }),
    })
    const copy = fc.record({
      notificationId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      platform: fc.constantFrom('ios' as const, 'android' as const),
    })
    fc.assert(
      fc.property(sized, copy, (said, { notificationId, platform }) => {
        const fits = toFaults(said) === undefined
        const content = toPushContent(said, 'campaign')
        const bytes = payloadBytes({ notificationId, platform, content, expiresAt: new Date() })
        if (fits) expect(bytes).toBeLessThanOrEqual(4_096)
      }),
    )
  })

  test('above 4 KB is refused, and the fault names the size and the field that is the longer', () => {
    expect(toFaults({ title: 'a', text: 'ü'.repeat(2_100) })).toEqual({
      text: [expect.stringMatching(/^makes the push 4\d{3} bytes/)],
    })
    expect(toFaults({ title: 'a', text: 'b', data: { long: 'c'.repeat(4_100) } })).toEqual({
      data: [expect.any(String)],
    })
  })
})

test('what only another provider than the first does not take is refused by its name', () => {
  const tight = { name: 'fcm/swapbell', platforms: ['android'] as const, payloadBytes: () => 4_200 }
  const loose = { ...tight, name: 'expo', payloadBytes: () => 4_000 }
  const check = (...providers: (typeof tight)[]) =>
    toFaults({ title: 'a', text: 'b' }, { ...deps, providers: providers.map((provider) => ({ provider })) })
  expect(check(loose, loose)).toBeUndefined()
  expect(check(tight, loose)).toEqual({ text: ['makes the push 4200 bytes; at most 4096 are allowed'] })
  expect(check(loose, tight)).toEqual({
    text: ['makes the push 4200 bytes for fcm/swapbell; at most 4096 are allowed'],
  })
})

describe('the schedule of receipts', () => {
  test('continues in steps until 24 h after the send, and then ends', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 43_200, noNaN: true }), (delay) => {
        const sentAt = new Date(0)
        let now = firstReceiptAt(sentAt, delay)
        let questions = 1
        for (let next = nextReceiptAt(sentAt, now, delay); next; next = nextReceiptAt(sentAt, now, delay)) {
          expect(next.getTime()).toBeGreaterThan(now.getTime())
          now = next
          questions++
        }
        expect(now.getTime()).toBe(RECEIPTS_KEPT_MS)
        expect(questions).toBeLessThanOrEqual(11)
      }),
    )
  })
})

describe('the state of a notification', () => {
  const moment = fc.option(fc.constant(new Date(0)), { nil: null })
  const facts: fc.Arbitrary<StateFacts> = fc.record({
    is_send: fc.boolean(),
    is_delivered: fc.option(fc.boolean(), { nil: null }),
    is_open: fc.boolean(),
    attempts: fc.nat(4),
    error_message: fc.option(
      fc.constantFrom('DeviceNotRegistered', 'ReceiptExpired', 'MessageExpired', 'OutcomeUnknown'),
      { nil: null },
    ),
    settled_at: moment,
    shown_at: moment,
    dismissed_at: moment,
  })

  test('is one of the named ones for any facts, Opened or Completed exactly when it was opened', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const state = toState(given)
        expect(STATES).toContain(state)
        expect(state === 'Opened' || state === 'Completed').toBe(given.is_open)
      }),
    )
  })

  const fresh: StateFacts = {
    is_send: false,
    is_delivered: false,
    is_open: false,
    attempts: 0,
    error_message: null,
    settled_at: null,
    shown_at: null,
    dismissed_at: null,
  }
  const done = new Date(0)
  test.for<[string, Partial<StateFacts>]>([
    ['Created', {}],
    ['Queued', { attempts: 1 }],
    ['Failed', { attempts: 1, error_message: 'ProviderUnavailable' }],
    ['Permanently Failed', { attempts: 4, error_message: 'OutcomeUnknown', settled_at: done }],
    ['Expired', { error_message: 'MessageExpired', settled_at: done }],
    ['Pending Receipt', { is_send: true, is_delivered: null }],
    ['Delivered', { is_send: true, is_delivered: true }],
    ['Delivery Failed', { is_send: true, error_message: 'MessageTooBig' }],
    ['Expired', { is_send: true, error_message: 'ReceiptExpired' }],
    ['Shown', { is_send: true, is_delivered: true, shown_at: done }],
    ['Dismissed', { is_send: true, is_delivered: true, shown_at: done, dismissed_at: done }],
    ['Opened', { is_send: true, is_delivered: null, is_open: true }],
    ['Completed', { is_send: true, is_delivered: true, is_open: true }],
  ])('is %s', ([state, change]) => {
    expect(toState({ ...fresh, ...change })).toBe(state)
  })
})

function toFaults(content: Parameters<typeof checkContent>[1], of: Parameters<typeof checkContent>[0] = deps): unknown {
  try {
    checkContent(of, content, 'campaign')
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.extras.errors
  }
}
