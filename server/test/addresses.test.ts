// Slow: every route, called by everybody or in many ways.
import { describe, expect } from 'vitest'
import { test } from './support/app.ts'
import { allowedHeaders, make } from './support/callers.ts'
import { createCalls, givenWorld } from './support/calls.ts'
import { expectError } from './support/faults.ts'
import { readDocument, findOperation } from './support/openapi.ts'

const GROUP_JOIN = '/api/send-group-join-notification'

describe('an unknown address', () => {
  test.for([
    '/nothing',
    '/api',
    '/api/nothing',
    '/api/health/',
    '/API/health',
    '/api//health',
    '/api/health%00',
    '/admin.php',
  ])('%s is 404 in the envelope', async (url, { app }) => {
    const answer = await app.inject({ url })
    expectError(answer, 404, 'NOT_FOUND')
    expect(answer.body).not.toContain(url)
  })

  test.for(['/%', '/api/%zz', `/api/notification/${'1'.repeat(200)}/read`])(
    '%s is 400 in the envelope',
    async (url, { app }) => expectError(await app.inject({ url }), 400, 'BAD_REQUEST'),
  )
})

describe('an address with an empty part', () => {
  test('is unknown to every caller on every route: an empty part is not an id', async ({ service, given }) => {
    const { headers } = await given.user({ role: 'super_admin' })
    const wrong: string[] = []
    for (const { method, url } of service.routes.filter((route) => route.url.startsWith('/api/'))) {
      const whole = url.replaceAll(/:\w+/g, '1')
      const addresses = [`${whole}/`, `${whole}/?page=1`, `/${whole}`, whole.replace('/api/', '/api//')]
      const withoutIds = url.includes(':') ? [url.replaceAll(/:\w+/g, '')] : []
      for (const address of [...addresses, ...withoutIds])
        for (const caller of [{}, headers]) {
          const answer = await service.app.inject({ method: method as 'GET', url: address, headers: caller })
          const { code } = answer.json<{ code: string }>()
          if (answer.statusCode !== 404 || code !== 'NOT_FOUND')
            wrong.push(`${method} ${address}: ${answer.statusCode} ${code}`)
        }
    }
    expect(wrong).toEqual([])
  })
})

describe('another method', () => {
  test('is 405 with the allowed methods of the address, for every caller on every route', async ({ service }) => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
    const routes = service.routes.filter(({ url }) => url.startsWith('/api/'))
    for (const { url } of routes) {
      const taken = routes
        .filter((route) => route.url === url)
        .flatMap(({ method, hasHead }) => (hasHead ? [method, 'HEAD'] : [method]))
      for (const method of methods.filter((one) => !taken.includes(one))) {
        const path = url.replace(/:\w+/, '1')
        const answer = await service.app.inject({ method: method as 'GET', url: path })
        expect.soft(answer.statusCode, `${method} ${path}`).toBe(405)
        expect.soft(answer.headers.allow, `${method} ${path}`).toBe(taken.join(', '))
        if (method !== 'HEAD') expectError(answer, 405, 'METHOD_NOT_ALLOWED')
      }
    }
  })

  test(
    'HEAD is answered as GET without the body where GET changes nothing, and 405 where it does',
    { timeout: 600_000 },
    async ({ service }) => {
      const world = await givenWorld(service)
      const refused: string[] = []
      for (const [name, call] of Object.entries(createCalls(world))) {
        if (!name.startsWith('GET ')) continue
        const headers = await allowedHeaders(service, world, name)
        const head = await make(service, { ...call, method: 'HEAD' }, headers)
        expect.soft(head.body, name).toBe('')
        if (head.statusCode === 405) {
          expect.soft(head.headers.allow, name).not.toContain('HEAD')
          refused.push(name.slice(4))
          continue
        }
        expect.soft(head.statusCode, name).toBe(call.status)
      }
      expect(refused.toSorted()).toEqual([
        '/api/admin/process-receipts',
        '/api/admin/v1/logout',
        '/api/admin/v1/swap/:id',
        '/api/admin/v1/users-export',
        '/api/admin/v1/users-export/:id/file',
        '/api/notification/:notification_id/read',
        '/api/send-test-notification',
        '/api/v1/logout',
      ])
    },
  )

  test('HEAD is 405 with the parameters that make a GET write or export, and leaves no audit entry', async ({
    app,
    deps,
    given,
  }) => {
    const { headers } = await given.admin()
    const entries = async () => (await deps.db.selectFrom('audit_log').select('audit_id').execute()).length
    const before = await entries()
    for (const [path, parameters] of [
      ['report/transaction', 'format=csv'],
      ['report/subscription', 'format=csv'],
      ['report/reported-product/all', 'format=csv'],
      ['swap/9999999', 'include=messages&reason=dispute'],
    ] as const) {
      const head = await app.inject({ method: 'HEAD', url: `/api/admin/v1/${path}?${parameters}`, headers })
      expect.soft([path, head.statusCode, head.headers.allow]).toEqual([path, 405, 'GET'])
      const plain = await app.inject({ method: 'HEAD', url: `/api/admin/v1/${path}`, headers })
      expect.soft([path, plain.statusCode]).toEqual([path, path === 'swap/9999999' ? 404 : 200])
    }
    expect(await entries()).toBe(before)
  })

  test('cannot be chosen by a header or a query', async ({ app, given }) => {
    const { headers } = await given.user()
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const answer = await app.inject({ url: `${GROUP_JOIN}?_method=POST`, headers: { ...headers, [name]: 'POST' } })
      expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    }
  })
})

describe('a page', () => {
  test.for([1_000_000_001, Number.MAX_SAFE_INTEGER])(
    '%d is past the end of every list: 200 and empty',
    async (page, { service }) => {
      const calls = createCalls(await givenWorld(service))
      const { headers } = await service.given.user({ role: 'super_admin' })
      const document = await readDocument(service.app)
      const lists = service.routes.filter(({ method, url }) =>
        findOperation(document, method, url)?.parameters?.some(({ name }) => name === 'page'),
      )
      expect(lists.length).toBeGreaterThan(8)
      for (const { method, url } of lists) {
        const call = calls[`${method} ${url}`]!
        const query = `${call.url.includes('?') ? '&' : '?'}page=${page}&per_page=100`
        const answer = await service.app.inject({ url: call.url + query, headers })
        expect.soft(answer.statusCode, `${call.url}${query}: ${answer.body.slice(0, 200)}`).toBe(200)
        expect.soft(answer.json(), call.url).toMatchObject({ data: [], pagination: { current_page: page } })
      }
    },
  )
})
