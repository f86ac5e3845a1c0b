import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { readDocument } from '../../../test/support/openapi.ts'
import type { App } from './routes.ts'

const LOGIN = '/api/v1/login'
const PREVIEW = '/api/admin/send-notification-all/preview'
const BODY_BYTES = 64 * 1024
const ANSWER_BYTES = 8 * 1024

const post = (app: App, payload: string, url = LOGIN, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } })

const toList = (item: string, bytes: number) =>
  `[${Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join(',')}]`

/** Bodies in which thousands of values are wrong. */
const HOSTILE: [what: string, body: string][] = [
  ['a list of numbers beyond all bounds', toList('1e999', BODY_BYTES - 2)],
  ['the same, 28 objects deep', `${'{"a":'.repeat(28)}${toList('1e999', 60_000)}${'}'.repeat(28)}`],
  ['unknown fields', `{${Array.from({ length: 5_500 }, (_, n) => `"k${n}":1`).join(',')}}`],
  ['unknown fields with NUL', `{${Array.from({ length: 3_500 }, (_, n) => `"k${n}":"\\u0000"`).join(',')}}`],
  ['a field with a name of 60 KB', `{"${'k'.repeat(60_000)}":1e999}`],
  ['long names inside one another', `${`{"${'k'.repeat(2_000)}":`.repeat(28)}1e999${'}'.repeat(28)}`],
]

describe('a body of 64 KB with thousands of faults', () => {
  test.for(HOSTILE)('is answered in short, with 20 faults at most: %s', async ([, body], { app }) => {
    const answer = await post(app, body)
    expect(answer.body.length).toBeLessThan(ANSWER_BYTES)
    const faults = Object.values(answer.json<{ errors: Record<string, string[]> }>().errors).flat()
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.length).toBeLessThanOrEqual(20)
  })

  test('says that there are more', async ({ app }) => {
    const many = (await post(app, unknownFields(19))).json<{ error: string; errors: object }>()
    expect(many.error).toBe('Many fields are not valid; errors names the first of them.')
    expect(Object.keys(many.errors)).toHaveLength(20)
    const all = (await post(app, unknownFields(18))).json<{ error: string; errors: object }>()
    expect(all.error).toBe('Some fields are not valid.')
    expect(Object.keys(all.errors)).toHaveLength(20)
  })

  test('names the first of them by their places', async ({ app }) => {
    const { errors } = (await post(app, '[1e999,{"a/b":{"c~d":[7,1e999]}}]')).json<{
      errors: Record<string, string[]>
    }>()
    expect(errors).toEqual({
      0: ['is a number that is too large to be exact'],
      '1.a/b.c~d.1': ['is a number that is too large to be exact'],
      body: ['must be an object'],
    })
  })
})

describe('a refused field', () => {
  test.for([
    ['/api/v1/register', { email: 'ada' }, 'email', 'must be an e-mail address, such as ada@example.com'],
    ['/api/v1/register', { email: 7 }, 'email', 'must be text'],
    ['/api/v1/register', { email: `${'a'.repeat(250)}@b.example` }, 'email', 'must have at most 254 characters'],
    ['/api/v1/register', { password: 'short' }, 'password', 'must have at least 8 characters'],
    ['/api/v1/register', { name: '' }, 'name', 'must not be empty'],
    ['/api/v1/register', { name: ' \t' }, 'name', 'must not be blank'],
    ['/api/v1/register', { name: undefined }, 'name', 'is required'],
    ['/api/v1/register', { nmae: 'Ada' }, 'nmae', 'is not a known field'],
  ] as const)('at %s, %j, names %s and says: %s', async ([url, changes, field, sentence], { app }) => {
    const body = { email: 'ada@example.com', password: 'long enough', name: 'Ada', ...changes }
    const answer = await post(app, JSON.stringify(body), url)
    expectInvalid(answer, field)
    expect(answer.json<{ errors: Record<string, string[]> }>().errors[field]).toContain(sentence)
  })

  test.for([
    [{ user_ids: [] }, 'user_ids', 'must not be empty'],
    [{ user_ids: [0] }, 'user_ids.0', 'must be 1 or more'],
    [{ user_ids: [1.5] }, 'user_ids.0', 'must be a whole number'],
    [{ user_ids: 'all' }, 'user_ids', 'must be a list'],
    [{ promotional: 'yes' }, 'promotional', 'must be true or false'],
    [{ data: [] }, 'data', 'must be an object'],
    [{ user_ids: Array(5_001).fill(1) }, 'user_ids', 'must have at most 5000 entries'],
  ] as const)('of a send, %j, names %s and says: %s', async ([changes, field, sentence], { app, given }) => {
    const { headers } = await given.admin()
    const body = { user_ids: [1], title: 'a', text: 'b', ...changes }
    const answer = await post(app, JSON.stringify(body), '/api/admin/send-notification', headers)
    expectInvalid(answer, field)
    expect(answer.json<{ errors: Record<string, string[]> }>().errors[field]).toEqual([sentence])
  })

  test.for([
    ['page=a', 'page', 'must be a whole number'],
    ['page=0', 'page', 'must be 1 or more'],
    ['sort_order=up', 'sort_order', 'must be one of: asc, desc'],
  ] as const)('of a query, %s, names %s and says: %s', async ([query, field, sentence], { app, given }) => {
    const { headers } = await given.admin()
    const answer = await app.inject({ url: `/api/admin/v1/users?${query}`, headers })
    expectInvalid(answer, field)
    expect(answer.json<{ errors: Record<string, string[]> }>().errors[field]).toContain(sentence)
  })

  test('has a sentence of its own for every pattern of every route', async ({ app }) => {
    // Texts are described by a pattern, and refused by the rule behind `x-plain-text`, which has its sentences.
    const schemas = [...toSchemas(await readDocument(app))].filter(
      (schema) => 'pattern' in schema && !('x-plain-text' in schema),
    )
    expect(schemas.length).toBeGreaterThan(10)
    for (const schema of schemas)
      expect
        .soft(schema, JSON.stringify(schema))
        .toMatchObject({ 'x-fault': expect.stringMatching(/^must /) as string })
  })

  test('is never answered with a pattern', async ({ app, given }) => {
    const { headers } = await given.admin()
    const answer = await post(app, JSON.stringify({ title: ' ', text: '\n' }), PREVIEW, headers)
    expect(answer.json()).toMatchObject({ errors: { title: ['must not be blank'], text: ['must not be blank'] } })
  })
})

function unknownFields(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 1])))
}

function* toSchemas(node: unknown): Generator<object> {
  if (typeof node !== 'object' || node === null) return
  yield node
  for (const [name, child] of Object.entries(node))
    if (name !== 'responses' && name !== 'headers') yield* toSchemas(child)
}
