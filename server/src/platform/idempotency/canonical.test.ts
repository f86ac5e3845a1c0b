import { randomUUID } from 'node:crypto'
import { assert, jsonValue, property, type JsonValue } from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'
import { canonicalJson } from '../shared/canonical.ts'

const SEND = '/api/admin/send-notification-sandbox'

async function send({ app, given }: Service, key: string, payload: string, caller?: Record<string, string>) {
  const headers = caller ?? (await given.admin()).headers
  return app.inject({
    method: 'POST',
    url: SEND,
    payload,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
  })
}

describe('the canonical form of JSON', () => {
  test('keeps every value, and is equal for every order of fields', () => {
    assert(
      property(jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
    )
  })

  test('differs for lists in another order', () => {
    expect(canonicalJson([{ a: 1 }, 2])).not.toBe(canonicalJson([2, { a: 1 }]))
  })
})

describe('an Idempotency-Key', () => {
  test('knows its body in another order of fields, and not with another value', async ({ service }) => {
    const { headers } = await service.given.admin()
    const key = randomUUID()
    const first = await send(
      service,
      key,
      '{"title":"a","text":"b","data":{"link":"swapbell://a","n":[1,{"x":1,"y":2}]}}',
      headers,
    )
    const again = await send(
      service,
      key,
      '{"data":{"n":[1,{"y":2,"x":1}],"link":"swapbell://a"},"text":"b","title":"a"}',
      headers,
    )
    expect([again.statusCode, again.body]).toEqual([202, first.body])
    const other = await send(
      service,
      key,
      '{"title":"a","text":"b","data":{"link":"swapbell://a","n":[{"x":1,"y":2},1]}}',
      headers,
    )
    expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('with a body that is nested without end is refused, on every route that takes a POST', async ({ service }) => {
    const { headers } = await service.given.user({ role: 'super_admin' })
    for (const { url } of service.routes.filter((route) => route.method === 'POST')) {
      const answer = await service.app.inject({
        method: 'POST',
        url: url.replaceAll(/:\w+/g, '1'),
        payload: '['.repeat(30_000) + ']'.repeat(30_000),
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      })
      // Without a secret there is no webhook.
      expect.soft(answer.statusCode, url).toBe(url.startsWith('/api/v1/webhooks/') ? 404 : 422)
    }
  })
})

/** The same value with the fields of its objects in the opposite order, as far as JavaScript lets them have one. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner as JsonValue)]),
  )
}
