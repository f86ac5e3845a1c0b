// Slow: many costly requests, or long data.
import { describe, expect } from 'vitest'
import { test } from './support/app.ts'
import { createCalls, givenWorld, type Call } from './support/calls.ts'
import { expectError, expectInvalid, type Answer } from './support/faults.ts'
import { createAnswerCheck, readDocument, findOperation, type ApiDocument } from './support/openapi.ts'
import { givenPanel } from './support/panel.ts'
import type { Service } from './support/service.ts'

// The specification and decision A8 name them, whatever the routes declare.
const WRITING_GETS = [
  'GET /api/v1/logout',
  'GET /api/admin/v1/logout',
  'GET /api/notification/:notification_id/read',
  'GET /api/send-test-notification',
  'GET /api/admin/process-receipts',
  // Reading messages leaves an entry in the audit log.
  'GET /api/admin/v1/swap/:id',
]
const EXPORTS = ['GET /api/admin/v1/users-export', 'GET /api/admin/v1/users-export/:id/file']
const REPORTS = [
  'GET /api/admin/v1/report/transaction',
  'GET /api/admin/v1/report/subscription',
  'GET /api/admin/v1/report/reported-product/all',
]
/** Their answers have no `data` beside which a parameter could be named. */
const BARE = [
  'GET /api/health',
  'GET /api/openapi.json',
  'GET /api/v1/stream',
  'GET /api/admin/promotional-notifications/:notification_id/progress',
  'GET /api/admin/notifications/:notification_id/progress',
  'GET /api/admin/notifications/:notification_id/progress-stream',
]

type Headers = Record<string, string>
type Route = { name: string; method: string; url: string; call: Call; headers: () => Promise<Headers> }
type Parameter = { name: string; in: string; required?: boolean; schema: Record<string, unknown> }

/** Every route of the API with a valid call and somebody who may make it. */
async function readRoutes(service: Service): Promise<Route[]> {
  const world = await givenWorld(service)
  const calls = createCalls(world)
  const owner = { userId: world.owner.userId, role: 'user' as const }
  const admin = { userId: world.admin.userId, role: 'admin' as const }
  const signIn = async (account: typeof owner | typeof admin) => ({
    authorization: `Bearer ${(await service.deps.sessions.open(account)).token}`,
  })
  const session = { user: await signIn(owner), admin: await signIn(admin) }
  return service.routes
    .filter(({ url }) => url.startsWith('/api/'))
    .map(({ method, url, access }) => {
      const name = `${method} ${url}`
      const headers = async (): Promise<Headers> => {
        if (access === 'public') return {}
        if (url.endsWith('/logout')) return signIn(owner)
        return access === 'user' ? session.user : session.admin
      }
      return { name, method, url, call: calls[name]!, headers }
    })
}

async function make({ app }: Service, { call, headers }: Route, query: string): Promise<Answer> {
  const url = `${call.url}${call.url.includes('?') ? '&' : '?'}${query}`
  const signedIn = await headers()
  return app.inject({ method: call.method, url, headers: signedIn, ...(call.payload && { payload: call.payload }) })
}

function isRefusing({ name, method }: Route): boolean {
  return method !== 'GET' || WRITING_GETS.includes(name) || EXPORTS.includes(name)
}

function toQuery(document: ApiDocument, { method, url }: Route): Parameter[] {
  const parameters = (findOperation(document, method, url)?.parameters ?? []) as Parameter[]
  return parameters.filter((parameter) => parameter.in === 'query')
}

describe('an unknown query parameter (decision A5)', () => {
  test('is 422 on exports and on all that writes, and named where a call reads, on every route', async ({
    service,
  }) => {
    const document = await readDocument(service.app)
    const check = createAnswerCheck(document)
    const routes = await readRoutes(service)
    expect(routes.length).toBeGreaterThan(60)
    for (const route of routes) {
      const answer = await make(service, route, 'stauts=banned&__proto__=x')
      const operation = findOperation(document, route.method, route.url) as { 'x-unknown-parameters'?: string }
      const said = REPORTS.includes(route.name)
        ? 'ignored; refused with format=csv'
        : isRefusing(route)
          ? 'refused'
          : 'ignored'
      expect.soft(operation['x-unknown-parameters'], route.name).toBe(said)
      if (isRefusing(route)) {
        const sentence = ['is not a known parameter']
        expect
          .soft([answer.statusCode, answer.json().errors], route.name)
          .toEqual([422, JSON.parse(`{"stauts":${JSON.stringify(sentence)},"__proto__":${JSON.stringify(sentence)}}`)])
      } else {
        expect.soft(answer.statusCode, route.name).toBe(route.call.status)
        if (route.call.status < 400 && !BARE.includes(route.name))
          expect.soft(answer.json().ignored_parameters, route.name).toEqual(['stauts', '__proto__'])
      }
      const type = String(answer.headers['content-type'])
      const body: unknown = type.startsWith('application/json') ? answer.json() : undefined
      const faults = check(route, { statusCode: answer.statusCode, type, body })
      expect.soft(faults, route.name).toEqual([])
    }
  })

  test('of a report as a file is 422, and so is a page of it', async ({ service }) => {
    for (const route of (await readRoutes(service)).filter(({ name }) => REPORTS.includes(name))) {
      for (const query of ['stauts=banned', 'page=2', 'per_page=5'])
        expectInvalid(await make(service, route, `format=csv&${query}`), query.split('=')[0]!, /not a known parameter/)
      const json = await make(service, route, 'bom=true&page=1')
      expect(json.json().ignored_parameters).toEqual(['bom'])
    }
  })

  test('is shown only to callers who may make the call', async ({ service, app }) => {
    expectError(await app.inject({ url: '/api/admin/v1/users-export?x=1' }), 401, 'UNAUTHENTICATED')
    const user = await service.given.user()
    expectError(await app.inject({ url: '/api/admin/v1/users-export?x=1', headers: user.headers }), 403, 'FORBIDDEN')
  })

  test('does not make a short answer long', async ({ service }) => {
    const names = Array.from({ length: 1_500 }, (_, n) => `p${n}`).join('=&')
    const answer = await (await givenPanel(service)).get(`/users-export?${names}=1&${'n'.repeat(4_000)}=1`)
    expect(answer.statusCode).toBe(422)
    expect(answer.body.length).toBeLessThan(4_000)
  })
})

test('a body of a call that takes none is 422, on every route', async ({ service, app }) => {
  const document = await readDocument(app)
  const taking = (route: Route) => findOperation(document, route.method, route.url) as { requestBody?: unknown }
  const routes = (await readRoutes(service)).filter((route) => route.method !== 'GET' && !taking(route).requestBody)
  expect(routes.length).toBeGreaterThan(10)
  for (const { name, method, call, headers } of routes) {
    const signedIn = await headers()
    const send = (payload: string) =>
      app.inject({
        method: method as 'POST',
        url: call.url,
        headers: { ...signedIn, 'content-type': 'application/json' },
        payload,
      })
    const unknown = await send('{"id":6,"__proto__x":1}')
    const sentence = ['is not a known field']
    expect
      .soft([unknown.statusCode, unknown.json().errors], name)
      .toEqual([422, { id: sentence, __proto__x: sentence }])
    expect.soft((await send('[1]')).statusCode, name).toBe(422)
    expect.soft((await send('"text"')).statusCode, name).toBe(422)
  }
  const { call, headers } = routes.find(({ name }) => name === 'PUT /api/v1/products/:id/like')!
  for (const payload of ['', '{}']) {
    const given = { ...(await headers()), 'content-type': 'application/json' }
    expect((await app.inject({ method: 'PUT', url: call.url, headers: given, payload })).statusCode).toBe(200)
  }
})

describe('an empty query parameter (decision A5)', () => {
  test('counts as absent, on every route that reads or exports, alone and together', async ({ service }) => {
    const document = await readDocument(service.app)
    let tried = 0
    for (const route of (await readRoutes(service)).filter(({ method }) => method === 'GET')) {
      const optional = toQuery(document, route).filter(({ required }) => required !== true)
      if (optional.length === 0) continue
      // Its caller is active from now on, which some answers show.
      await make(service, route, '')
      await service.deps.activity.flush()
      const plain = await make(service, route, '')
      expect.soft(plain.statusCode, route.name).toBe(route.call.status)
      const empty = await make(service, route, optional.map(({ name }) => `${name}=`).join('&'))
      expect.soft(empty.statusCode, `${route.name} ${empty.body.slice(0, 300)}`).toBe(route.call.status)
      if (!WRITING_GETS.includes(route.name)) expect.soft(empty.body, route.name).toBe(plain.body)
      for (const { name } of optional) {
        const answer = await make(service, route, `${name}=`)
        expect.soft(answer.statusCode, `${route.name} ${name} ${answer.body.slice(0, 300)}`).toBe(route.call.status)
        tried++
      }
    }
    expect(tried).toBeGreaterThan(80)
  })

  test('that is required is missing', async ({ service, app }) => {
    const { headers, userId } = await service.given.user()
    const url = `/api/send-test-notification?user_id=${userId}&title=&text=Hello`
    expectInvalid(await app.inject({ url, headers }), 'title', /is required/)
  })

  test('beside a value of the same name is ignored', async ({ service }) => {
    const panel = await givenPanel(service)
    const answer = await panel.get('/users?per_page=&per_page=3')
    expect([answer.statusCode, answer.json().pagination.per_page]).toEqual([200, 3])
    expectInvalid(await panel.get('/users?per_page=2&per_page=3'), 'per_page')
  })
})

describe('a known query parameter with a bad value (decision A5)', () => {
  test('is 422 on every route, and named', async ({ service }) => {
    const document = await readDocument(service.app)
    let tried = 0
    for (const route of await readRoutes(service)) {
      for (const { name, schema } of toQuery(document, route)) {
        const bad = badValueFor(name, schema)
        expect.soft(bad, `${route.name}: ${name} takes anything`).toBeDefined()
        const call = { ...route.call, url: route.call.url.replace(new RegExp(`(?<=[?&])${name}=[^&]*&?`), '') }
        const answer = await make(service, { ...route, call }, `${name}=${bad}`)
        expect
          .soft([answer.statusCode, Object.keys(answer.json().errors ?? {})], `${route.name} ${name}=${bad}`)
          .toEqual([422, [name]])
        tried++
      }
    }
    expect(tried).toBeGreaterThan(100)
  })
})

/** Words of a list that the schema tells in its description alone. */
const MOMENTS = ['start_date', 'end_date', 'last_active_from', 'last_active_to']

function badValueFor(name: string, schema: Record<string, unknown>): string | undefined {
  if (MOMENTS.includes(name)) return '2026-02-30'
  if (schema['type'] === 'integer') return 'x'
  if (schema['type'] === 'boolean') return 'maybe'
  if (schema['format'] === 'date-time') return 'yesterday'
  if (schema['enum'] !== undefined || schema['type'] === 'array') return 'no-such-word'
  return typeof schema['maxLength'] === 'number' ? 'x'.repeat(schema['maxLength'] + 1) : undefined
}
