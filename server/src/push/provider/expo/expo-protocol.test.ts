import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyPush } from '../../../../test/support/any-push.ts'
import { encodePushes, isExpoPushToken, payloadBytes, readFault, readReceipts, readTickets } from './expo-protocol.ts'
import { ERROR_CODES } from '../provider.ts'

const push = anyPush({ to: fc.string(), platform: fc.constantFrom('ios' as const, 'android' as const) })

describe('the JSON of pushes', () => {
  test('says what each push says, with its identity for the platform', () => {
    fc.assert(
      fc.property(fc.array(push, { maxLength: 5 }), (pushes) => {
        const sent = JSON.parse(encodePushes(pushes)) as Record<string, unknown>[]
        expect(sent).toHaveLength(pushes.length)
        for (const [index, { to, platform, notificationId, content: said, badge }] of pushes.entries()) {
          expect(sent[index]).toMatchObject({ to, title: said.title, body: said.body })
          const { notification_id, ...data } = (sent[index]?.['data'] ?? {}) as Record<string, unknown>
          expect(notification_id).toBe(notificationId)
          const { notification_id: _theirs, ...expected } = (JSON.parse(JSON.stringify(said.data ?? {})) ??
            {}) as Record<string, unknown>
          expect(data).toEqual(expected)
          expect(sent[index]?.['badge']).toBe(badge)
          const { collapseId, tag } = sent[index] ?? {}
          const identity = said.mergeKey ?? `n${notificationId}`
          expect([collapseId, tag]).toEqual(platform === 'ios' ? [identity, undefined] : [undefined, identity])
        }
      }),
    )
  })

  test('is measured in bytes exactly as sent, without the address', () => {
    fc.assert(
      fc.property(push, (one) => {
        const [sent] = JSON.parse(encodePushes([one])) as Record<string, unknown>[]
        const { to: _address, ...payload } = sent ?? {}
        const parsedAgain = Buffer.byteLength(JSON.stringify(payload))
        // Parsing may write a number of the data in another way; the text that was sent is what counts.
        expect(Math.abs(payloadBytes(one) - parsedAgain)).toBeLessThanOrEqual(
          JSON.stringify(one.content.data ?? {}).length,
        )
        const address = Buffer.byteLength(`"to":${JSON.stringify(one.to)},`)
        expect(payloadBytes(one)).toBe(Buffer.byteLength(encodePushes([one])) - 2 - address)
      }),
    )
  })
})

describe('the provider’s answers', () => {
  test('never make the reader throw, and give only known codes', () => {
    const answer = fc.record({
      status: fc.integer({ min: 100, max: 599 }),
      date: fc.option(fc.string(), { nil: undefined }),
      retryAfter: fc.option(fc.string(), { nil: undefined }),
      body: fc.oneof(
        fc.string(),
        fc.json(),
        ticketAnswer().map((value) => JSON.stringify(value)),
      ),
    })
    fc.assert(
      fc.property(answer, fc.integer({ min: 1, max: 5 }), (given, count) => {
        const tickets = readTickets(given, count)
        if (tickets) expect(tickets).toHaveLength(count)
        for (const ticket of tickets ?? []) if (ticket.kind !== 'accepted') expect(ERROR_CODES).toContain(ticket.code)
        const fault = readFault(given)
        expect(fault.outcome.kind).not.toBe('accepted')
        for (const id of readReceipts(given, ['a', 'b'])?.keys() ?? []) expect(['a', 'b']).toContain(id)
      }),
    )
  })

  test('prove a refusal only with a 4xx or a request error; all else is unknown', () => {
    expect([400, 401, 403, 404, 413, 429].map((status) => toKind(status))).toEqual(
      Array.from({ length: 6 }, () => 'refused'),
    )
    expect([200, 500, 502, 503, 504].map((status) => toKind(status))).toEqual(
      Array.from({ length: 5 }, () => 'unknown'),
    )
    expect(toKind(200, '{"errors":[{"code":"TOO_MANY_REQUESTS"}]}')).toBe('refused')
  })

  test('with a ticket that cannot be stored are unknown for that push alone', () => {
    const data = ['fine', 'a\0b', '', 'x'.repeat(256)].map((id) => ({ status: 'ok', id }))
    const answer = { status: 200, date: undefined, retryAfter: undefined, body: JSON.stringify({ data }) }
    const kinds = readTickets(answer, data.length)?.map(({ kind }) => kind)
    expect(kinds).toEqual(['accepted', 'unknown', 'unknown', 'unknown'])
  })

  test('that ask to wait say for how long', () => {
    expect(findWait('7')).toEqual({ kind: 'busy', retryAfterMs: 7_000 })
    expect(findWait(undefined)).toEqual({ kind: 'busy', retryAfterMs: 1_000 })
    expect(findWait('soon')).toEqual({ kind: 'busy', retryAfterMs: 1_000 })
    expect(findWait('99999999')).toEqual({ kind: 'busy', retryAfterMs: 300_000 })
  })

  test('that name a time are read by the provider’s clock, not by this machine’s', () => {
    const moment = 'Wed, 21 Oct 2015 07:28:30 GMT'
    expect(findWait(moment, 'Wed, 21 Oct 2015 07:28:00 GMT')).toEqual({ kind: 'busy', retryAfterMs: 30_000 })
    expect(findWait(moment, 'Wed, 21 Oct 2015 09:28:00 GMT')).toEqual({ kind: 'busy', retryAfterMs: 1_000 })
    expect(findWait(new Date(Date.now() + 20_000).toUTCString(), 'soon')).toMatchObject({ kind: 'busy' })
  })
})

test('push tokens have one of the three forms that the provider’s own client accepts', () => {
  for (const token of ['ExponentPushToken[a]', 'ExpoPushToken[x-Y_9:z]', 'F5741A13-BCDA-434B-A316-5DC0E6FFA94F'])
    expect(isExpoPushToken(token)).toBe(true)
  for (const token of [
    '',
    'ExponentPushToken[]',
    'ExponentPushToken[a',
    'x ExponentPushToken[a]',
    'ExponentPushToken[a b]',
    'abc',
  ])
    expect(isExpoPushToken(token)).toBe(false)
})

function ticketAnswer() {
  const ticket = fc.oneof(
    fc.record({ status: fc.constant('ok'), id: fc.oneof(fc.string(), fc.integer()) }),
    fc.record({ status: fc.constantFrom('error', 'maybe'), details: fc.option(fc.record({ error: fc.string() })) }),
  )
  return fc.record({
    data: fc.oneof(fc.array(ticket, { maxLength: 5 }), fc.dictionary(fc.constantFrom('a', 'b', 'c'), ticket)),
  })
}

function toKind(status: number, body = ''): string {
  return readFault({ status, date: undefined, retryAfter: undefined, body }).outcome.kind
}

function findWait(retryAfter: string | undefined, date?: string) {
  return readFault({ status: 429, date, retryAfter, body: '' }).health
}
