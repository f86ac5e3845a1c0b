import { connect, type AddressInfo } from 'node:net'
import { describe, expect } from 'vitest'
import type { App } from '../src/platform/http/routes.ts'
import { test } from './support/app.ts'
import { expectError, expectInvalid } from './support/faults.ts'
import type { Service } from './support/service.ts'

const SEND = '/api/admin/send-notification-all/preview'

async function post({ app, given }: Service, payload: string | Buffer, headers: Record<string, string> = {}) {
  const admin = await given.admin()
  const type = { 'content-type': 'application/json' }
  return app.inject({ method: 'POST', url: SEND, headers: { ...type, ...admin.headers, ...headers }, payload })
}

describe('a body', () => {
  test.for(['{', '{"a":1,}', "{'a':1}", '{"title":"a"} {}', '\u0000', 'undefined', '[1', '{"a":NaN}', '"\\x"'])(
    'of %j is 400 INVALID_JSON',
    async (body, { service }) => expectError(await post(service, body), 400, 'INVALID_JSON'),
  )

  test('that is not UTF-8 becomes text that is refused or kept, never a fault', async ({ service }) => {
    const body = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')])
    expectInvalid(await post(service, body), 'text')
  })

  test.for(['null', '[]', '"text"', '7', 'true', ''])('of %j is 422', async (body, { service }) => {
    expectInvalid(await post(service, body), 'body')
  })

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json2',
    'application/jsonp',
    'text/json',
    'application/xml',
    'application\t/json',
    'application/json,text/plain',
    'json',
    '*/*',
  ])('of type %s is 415', async (type, { service }) => {
    expectError(
      await post(service, '{"title":"a","text":"b"}', { 'content-type': type }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  })

  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
  ])('of type %s is read', async (type, { service }) => {
    expect((await post(service, '{"title":"a","text":"b"}', { 'content-type': type })).statusCode).toBe(200)
  })

  test.for(['gzip', 'br', 'deflate', 'x-unknown'])(
    'that is compressed with %s is 415',
    async (encoding, { service }) => {
      expectError(await post(service, '{}', { 'content-encoding': encoding }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('of 64 KB is read, and of one byte more is 413', async ({ service }) => {
    const fitting = `{"x":"${'y'.repeat(64 * 1024 - 8)}"}`
    expect(fitting).toHaveLength(64 * 1024)
    expect((await post(service, fitting)).statusCode).toBe(422)
    expectError(await post(service, `${fitting} `), 413, 'PAYLOAD_TOO_LARGE')
  })

  test.for([
    '{"__proto__":{"polluted":1},"title":"a","text":"b"}',
    '{"constructor":{"prototype":{"polluted":1}},"title":"a","text":"b"}',
    '{"title":"a","text":"b","data":{"__proto__":{"polluted":1}}}',
    '{"title":"a","text":"b","data":{"deep":[{"constructor":{"prototype":{"polluted":1}}}]}}',
  ])('that reaches for prototypes is refused: %s', async (body, { service }) => {
    expectError(await post(service, body), 400, 'INVALID_JSON')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test.for(['constructor', 'toString', 'hasOwnProperty'])(
    'with an unknown field %s names it',
    async (field, { service }) => {
      const answer = await post(service, JSON.stringify({ title: 'a', text: 'b', [field]: [null] }))
      expectError(answer, 422, 'VALIDATION_ERROR')
      expect(answer.json().errors).toEqual({ [field]: ['is not a known field'] })
    },
  )

  test('may be nested at most 32 deep', async ({ service }) => {
    expect((await post(service, nested(20))).statusCode).toBe(200)
    const answer = await post(service, nested(1_000))
    expectError(answer, 422, 'VALIDATION_ERROR')
    expect(answer.body).toContain('nested too deeply')
    expectError(await post(service, '['.repeat(65_000)), 400, 'INVALID_JSON')
    expectError(await post(service, `${'['.repeat(32_000)}${']'.repeat(32_000)}`), 422, 'VALIDATION_ERROR')
  })

  test('with thousands of unknown fields is refused', async ({ service }) => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1]))
    expectError(await post(service, JSON.stringify(body)), 422, 'VALIDATION_ERROR')
  })
})

describe('a query', () => {
  test.for(['?__proto__[polluted]=1', '?__proto__=1', '?constructor=1', '?hasOwnProperty=1', '?page[a]=1', '?a=%'])(
    'of %s harms nothing',
    async (query, { app, given }) => {
      const { headers } = await given.admin()
      const answer = await app.inject({ url: `/api/admin/promotional-notifications${query}`, headers })
      expect(answer.statusCode).toBe(200)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    },
  )
})

describe('an error', () => {
  test('that is unexpected is 500 in the envelope, and reveals nothing', async ({ service, app, given }) => {
    const { headers } = await given.admin()
    const { db } = service.deps
    await db.schema.alterTable('alerts').renameTo('hidden').execute()
    const answer = await app.inject({
      url: '/api/admin/push-status',
      headers: { ...headers, 'x-request-id': 'lost-1' },
    })
    await db.schema.alterTable('hidden').renameTo('alerts').execute()
    expectError(answer, 500, 'INTERNAL_ERROR')
    expect(answer.body).not.toMatch(/alerts|relation|select|node_modules|\.ts/)
    await expect.poll(() => service.logged()).toMatch(/"level":"error".*"request_id":"lost-1".*"msg":"request failed"/)
  })

  test('of HTTP itself is 400 and closes the connection', async ({ app }) => {
    const port = await listening(app)
    for (const request of [
      'NONSENSE\r\n\r\n',
      'GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: y\u0000z\r\n\r\n',
      'POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ]) {
      const answer = await exchange(port, request)
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close\r\n\r\n\{"success":false,.*"code":"BAD_REQUEST"/s)
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    }
  })

  test.for([
    'Host: localhost\r\nHost: localhost',
    'Host: localhost\r\nhost: other.example',
    'HOST: localhost\r\nHost: localhost\r\nHost: localhost',
  ])('of more than one Host header is 400 and closes the connection: %s', async (hosts, { app }) => {
    const answer = await exchange(await listening(app), `GET /api/health HTTP/1.1\r\n${hosts}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"error":"There is more than one Host header\."/s)
  })
})

function nested(depth: number): string {
  return `{"title":"a","text":"b","data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`
}

async function listening(app: App): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** What the server writes to a raw request before it closes the connection. */
function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
