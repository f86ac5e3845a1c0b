// Slow: every route, called by everybody or in many ways.
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { buildAnother } from './support/build-app.ts'
import { createValidatorCompiler } from '../src/platform/http/validation.ts'
import { FAILURE_EXAMPLES } from '../src/platform/openapi/failure-examples.ts'
import { REQUEST_EXAMPLES } from '../src/platform/openapi/request-examples.ts'
import { test } from './support/app.ts'
import { createCalls, givenWorld } from './support/calls.ts'
import {
  createAnswerCheck,
  readDocument,
  findOperation,
  findResponse,
  type ApiDocument,
  type Operation,
} from './support/openapi.ts'
import type { Service } from './support/service.ts'

// A service that has just started on a busy machine answers 503 at first.

function apiRoutes({ routes }: Service) {
  return routes.filter(({ url }) => url.startsWith('/api/'))
}

describe('the OpenAPI document', () => {
  test('is 3.1 and describes every route, and nothing else', async ({ service, app }) => {
    const document = await readDocument(app)
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Swapbell' } })
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = apiRoutes(service).map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(described.toSorted()).toEqual(served.toSorted())
  })

  test('says of every operation what it is, who may call it, what it takes and what it answers', async ({
    service,
    app,
  }) => {
    const document = await readDocument(app)
    expect(document.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    })
    for (const { method, url, access } of apiRoutes(service)) {
      const operation = findOperation(document, method, url)!
      const name = `${method} ${url}`
      const statuses = Object.keys(operation.responses)
      expect.soft(operation.summary, name).toMatch(/^[A-Z]/)
      expect.soft(operation.tags, name).toHaveLength(1)
      expect.soft(operation.security, name).toEqual(access === 'public' ? [] : [{ bearer: [] }])
      const inPath = operation.parameters
        ?.filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name)
      expect.soft(inPath ?? [], name).toEqual([...url.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter))
      // One success; a second one is 202, where something else must happen first.
      const successes = statuses.filter((status) => status.startsWith('2'))
      expect.soft(['200', '201', '202', '200,202', '201,202'], name).toContain(successes.join())
      if (url === '/api/openapi.json') continue
      const expected = [
        '429',
        '500',
        '503',
        ...(access === 'public' ? [] : ['401']),
        ...(access === 'public' || access === 'user' ? [] : ['403']),
        ...(operation.requestBody === undefined ? [] : ['400', '413', '415', '422']),
        ...(operation.parameters === undefined ? [] : ['422']),
      ]
      expect.soft(statuses, name).toEqual(expect.arrayContaining(expected))
      for (const status of statuses.filter((one) => one >= '400'))
        expect.soft(findResponse(document, operation, status)?.content, `${name} ${status}`).toMatchObject({
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        })
    }
  })

  test('has an example of every body that the call itself would accept', async ({ app }) => {
    const document = await readDocument(app)
    const used = new Set<string>()
    const validators = createValidatorCompiler()
    for (const { operationId, requestBody } of toOperations(document)) {
      if (requestBody === undefined) continue
      const { schema, example } = requestBody.content['application/json'] ?? {}
      used.add(operationId)
      const validate = validators({ schema: schema!, httpPart: 'body', method: 'POST', url: '' })
      expect.soft((validate as (body: unknown) => object)(example), operationId).toEqual({ value: example })
    }
    expect([...used]).toEqual(expect.arrayContaining(Object.keys(REQUEST_EXAMPLES)))
  })

  test('has an example of every success and every refusal that fits its schema and holds nothing else', async ({
    app,
  }) => {
    const document = await readDocument(app)
    const check = createAnswerCheck(document)
    const wrong: string[] = []
    for (const [url, item] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(item))
        for (const status of Object.keys(operation.responses)) {
          const content = findResponse(document, operation, status)?.content ?? {}
          const examples = Object.entries(content).flatMap(([type, { example, examples: many }]) =>
            [...(example === undefined ? [] : [example]), ...Object.values(many ?? {}).map(({ value }) => value)].map(
              (body) => ({ type, body }),
            ),
          )
          const name = `${operation.operationId} ${status}`
          if (examples.length === 0) wrong.push(`${name} has no example`)
          const route = { method: method.toUpperCase(), url }
          for (const one of examples)
            wrong.push(...check(route, { statusCode: Number(status), ...one }).map((fault) => `${name}: ${fault}`))
        }
    expect(wrong).toEqual([])
  })

  test('shows a refusal of fields as it is', async ({ app }) => {
    const payload = { email: 'ann', name: 'Ann', password: randomUUID() }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/register', payload })
    const { error, code, errors } = answer.json<Record<string, unknown>>()
    expect(FAILURE_EXAMPLES['422']?.['VALIDATION_ERROR']).toMatchObject({ value: { error, code, errors } })
  })

  test('holds only references that exist', async ({ app }) => {
    const document = await readDocument(app)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
    expect(references.length).toBeGreaterThan(100)
    for (const path of new Set(references)) {
      const target = path.split('/').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document)
      expect.soft(target, path).toBeTypeOf('object')
    }
  })
})

describe('answers', () => {
  test('are as the document says, no property more, for every route', async ({ service, app, given }) => {
    const world = await givenWorld(service)
    const check = createAnswerCheck(await readDocument(app))
    const calls = createCalls(world)
    const wrong: string[] = []
    let checked = 0
    const hold = async (route: { method: string; url: string }, headers: Record<string, string>, payload?: unknown) => {
      const call = calls[`${route.method} ${route.url}`]!
      const answer = await app.inject({
        method: call.method,
        url: call.url,
        headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
        ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      })
      const type = String(answer.headers['content-type'])
      const body: unknown = type.startsWith('application/json') ? answer.json() : undefined
      const faults = check(route, { statusCode: answer.statusCode, type, body })
      wrong.push(...faults.map((fault) => `${route.method} ${route.url} ${answer.statusCode}: ${fault}`))
      checked++
    }
    for (const route of apiRoutes(service)) {
      const call = calls[`${route.method} ${route.url}`]!
      const { headers } = route.access === 'campaigns' ? await given.admin() : await readSession(service, world.owner)
      await hold(route, {}, call.payload)
      await hold(route, (await given.user()).headers, call.payload)
      if (call.payload) await hold(route, headers, { unknown: true })
      if (call.payload) await hold(route, headers, [])
      await hold(route, headers, call.payload)
    }
    expect(wrong).toEqual([])
    expect(checked).toBeGreaterThan(100)
  })
})

describe('/docs', () => {
  test('is a page whose own policy lets it load all that it needs, and nothing from elsewhere', async ({ app }) => {
    const page = await app.inject({ url: '/docs' })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('<div id="swagger-ui"></div>')
    const policy = parsePolicy(page.headers['content-security-policy'])
    expect(policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('script-src')).toContain("'self'")
    expect(policy.get('script-src')).not.toContain("'unsafe-inline'")
    expect(policy.get('style-src')).toContain("'self'")
    // The page is also opened over plain HTTP, where an upgrade leaves it without its scripts.
    expect([...policy.keys()]).not.toContain('upgrade-insecure-requests')
    expect([...policy.values()].flat().filter((source) => /^https?:$|^\*/.test(source))).toEqual([])

    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset = '']) => asset)
    expect(assets.length).toBeGreaterThan(3)
    for (const asset of assets) {
      const { pathname } = new URL(asset, 'http://service/docs')
      expect.soft((await app.inject({ url: pathname })).statusCode, pathname).toBe(200)
    }
  })

  test('keeps no token', async ({ app }) => {
    const script = await app.inject({ url: '/docs/static/swagger-initializer.js' })
    expect(script.body).toMatch(/"?persistAuthorization"?:\s*false/)
  })

  test.for([
    { NODE_ENV: 'production', page: 404 },
    { NODE_ENV: 'development', page: 200 },
  ] as const)('is not there in production: $NODE_ENV', async ({ page, NODE_ENV }, { deps }) => {
    const { app } = await buildAnother({ ...deps, config: { ...deps.config, NODE_ENV } })
    onTestFinished(() => app.close())
    for (const url of ['/docs', '/docs/json', '/docs/static/swagger-ui.css'])
      await expect.poll(async () => (await app.inject({ url })).statusCode).toBe(page)
    expect((await app.inject({ url: '/api/openapi.json' })).statusCode).toBe(200)
  })

  test('shows the document that is served', async ({ app }) => {
    const json = await app.inject({ url: '/docs/json' })
    expect(json.json()).toEqual(await readDocument(app))
  })
})

function toOperations({ paths }: ApiDocument): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item))
}

async function readSession({ deps }: Service, { userId }: { userId: number }) {
  return { headers: { authorization: `Bearer ${(await deps.sessions.open({ userId })).token}` } }
}

function parsePolicy(header: unknown): Map<string, string[]> {
  const directives = String(header)
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
  return new Map(directives.filter(([name]) => name).map(([name = '', ...sources]) => [name, sources]))
}
