// Slow: a second or more for each test, or five for the file.
import { assert, asyncProperty, constantFrom, date, integer, subarray, tuple } from 'fast-check'
import { expect } from 'vitest'
import { test } from './support/app.ts'
import { allowedHeaders } from './support/callers.ts'
import { createCalls, givenWorld } from './support/calls.ts'
import { readDocument } from './support/openapi.ts'

type Schema = {
  type?: string | string[]
  enum?: string[]
  const?: unknown
  pattern?: string
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  description?: string
}
type Parameter = {
  name: string
  in: string
  explode?: boolean
  description?: string
  example?: unknown
  schema: Schema
}

/** Texts that may hold anything, or whose rule is a record that must exist, by the reason. */
const FREE = {
  'is looked for': [
    'search',
    'city',
    'email',
    'name',
    'category',
    'plan',
    'entity',
    'request_id',
    'action',
    'provider',
  ],
  'is the caller’s own': ['device_id', 'external_id', 'event_id', 'Idempotency-Key', 'password', 'current_password'],
  'is compared with what was given out': ['link', 'pin', 'pending_token', 'key'],
  'may be blank': ['wants'],
}
const IS_FREE = new Set(Object.values(FREE).flat())

/** The message for a value that does not have the form of its kind. */
const FORM = /^must be (?:a date|an IANA|one or more|some of)/

/** Texts with a rule that no pattern says: their description tells it. */
const TOLD = ['link', 'token', 'fallback_token', 'If-Match']

function textsIn(schema: Schema, name: string): [name: string, schema: Schema][] {
  const below = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.anyOf ?? []).map((one) => [name, one] as const),
    ...(schema.items ? [[name, schema.items] as const] : []),
  ].flatMap(([key, inner]) => textsIn(inner, key))
  return [schema.type].flat().includes('string') ? [[name, schema], ...below] : below
}

function hasRule({ enum: words, const: only, pattern, format }: Schema): boolean {
  return words !== undefined || only !== undefined || pattern !== undefined || format !== undefined
}

test('every text that a call takes has its rule in the document, or may be anything', async ({ app }) => {
  const document = await readDocument(app)
  const without = new Set<string>()
  let checked = 0
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const parameters = (operation.parameters ?? []) as Parameter[]
    const body = operation.requestBody?.content['application/json']?.schema
    const texts = [
      ...parameters.flatMap(({ name, schema, description = '' }) =>
        textsIn(schema, name).map(([key, found]) => [key, { ...found, description }] as const),
      ),
      ...(body === undefined ? [] : textsIn(body, 'body')),
    ]
    for (const [name, schema] of texts) {
      checked++
      const isTold = TOLD.includes(name) && schema.description !== undefined && schema.description !== ''
      if (!hasRule(schema) && !IS_FREE.has(name) && !isTold) without.add(`${operation.operationId} ${name}`)
    }
  }
  expect([...without]).toEqual([])
  expect(checked).toBeGreaterThan(200)
})

test('what the document allows of lists, dates and time zones is not refused', async ({ service }) => {
  const document = await readDocument(service.app)
  const world = await givenWorld(service)
  const calls = createCalls(world)
  const zone = constantFrom(...Intl.supportedValuesOf('timeZone'))
  const days = { min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }
  const moment = tuple(date(days), integer({ min: 0, max: 3 })).map(([at, form]) => {
    const text = at.toISOString()
    return [text, text.slice(0, 10), `${text.slice(0, 16)}+05:45`, `${text.slice(0, 19)}.123456Z`][form]!
  })
  let lists = 0
  for (const [path, item] of Object.entries(document.paths)) {
    const parameters = (item['get']?.parameters ?? []) as Parameter[]
    const texts = parameters.flatMap((parameter) => {
      const { name, schema, explode } = parameter
      if (explode === false) return [{ name, values: subarray(schema.items!.enum!, { minLength: 1 }).map(String) }]
      if (name === 'start_date') return [{ name, values: moment }]
      return name === 'timezone' ? [{ name, values: zone }] : []
    })
    const name = `GET ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    const headers = texts.length > 0 ? await allowedHeaders(service, world, name) : {}
    const [address] = calls[name]?.url.split('?') ?? []
    for (const { name: parameter, values } of texts) {
      lists++
      await assert(
        asyncProperty(values, async (value) => {
          const url = `${address}?${parameter}=${encodeURIComponent(value)}`
          const { errors = {} } = refusalIn(await service.app.inject({ url, headers }))
          expect(errors[parameter] ?? []).not.toContainEqual(expect.stringMatching(FORM))
        }),
        { numRuns: 4 },
      )
    }
  }
  expect(lists).toBeGreaterThan(40)
})

test('a value that is not in a list is refused, and the field is named', async ({ service }) => {
  const { headers } = await service.given.admin()
  const urls = ['users?role=god', 'users?status=active,gone', 'users-export?columns=id,secret']
  for (const url of urls) {
    const answer = await service.app.inject({ url: `/api/admin/v1/${url}`, headers })
    const [, parameter = ''] = /\?(\w+)=/.exec(url) ?? []
    expect([answer.statusCode, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, [parameter]])
  }
})

/** Files are answered as text. */
function refusalIn({ statusCode, json }: { statusCode: number; json(): unknown }): {
  errors?: Record<string, string[]>
} {
  return statusCode === 422 ? (json() as { errors: Record<string, string[]> }) : {}
}
