// Slow: a second or more for each test, or five for the file.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { test } from '../../server/test/support/app.ts'
import { drain } from '../../server/test/support/drain.ts'
import { createClient, type Administration } from '../src/administration.ts'
import type { Settings } from '../src/calls.ts'
import { isRefusal, type Refusal } from '../src/refusal.ts'

let baseUrl: string

test.beforeAll(async ({ service }) => {
  baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
})

function connect(token?: string, settings: Partial<Settings> = {}): Administration {
  return createClient({ baseUrl, token: () => token, fetch: onItsOwnConnection, ...settings })
}

/** A service that ends waits for connections that are kept open. */
const onItsOwnConnection: typeof fetch = (url, request) => {
  const headers = new Headers(request?.headers)
  headers.set('Connection', 'close')
  return fetch(url, { ...request, headers })
}

async function refused(call: Promise<unknown>): Promise<Refusal> {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!isRefusal(thrown)) throw new Error('The call was not refused.', { cause: thrown })
  return thrown
}

test('from a like to a swap, in the ten calls of the README', async ({ deps }) => {
  const { category_id } = await deps.db
    .insertInto('categories')
    .values({ name: 'Kitchen', slug: 'kitchen-of-the-client' })
    .returning('category_id')
    .executeTakeFirstOrThrow()
  const [ann, ben] = [await registered('ann'), await registered('ben')]
  const about = { description: 'As new', category_id, condition: 'good', submit: true } as const
  const kettle = (await ann.createMyProduct({ body: { title: 'Red kettle', ...about } })).data.id
  const chair = (await ben.createMyProduct({ body: { title: 'Blue chair', ...about } })).data.id
  await ann.likeProduct({ path: { id: chair } })
  expect((await ben.likeProduct({ path: { id: kettle } })).data).toMatchObject({ is_match: true })
  const swap = { path: { id: (await ann.proposeSwap({ body: { offered: [kettle], requested: [chair] } })).data.id } }
  await ben.acceptSwap(swap)
  await ann.confirmSwap(swap)
  const { data } = await ben.confirmSwap(swap)
  expect(data.status).toBe('completed')
})

test('a campaign, from its preview to its report', async ({ service, given }) => {
  const admin = connect(readToken(await given.admin()))
  await given.user({ devices: [{ platform: 'android' }] })
  const body = { title: 'Swap weekend', text: 'Two days of swaps near you' }
  expect((await admin.previewSendToAll({ body })).data.devices.android).toBeGreaterThan(0)
  const header = { 'Idempotency-Key': 'once' }
  const { data: started } = await admin.sendToAll({ body, header })
  expect((await admin.sendToAll({ body, header })).data).toEqual(started)
  if ('approval' in started) throw new Error('nobody has to approve it')
  await drain(service)
  if (!('notification_id' in started)) throw new Error('The send waits for an approval.')
  const { data: campaigns } = await admin.listCampaigns({ query: { per_page: 1 } })
  expect(campaigns[0]).toMatchObject({ notification_id: started.notification_id, status: 'completed' })
  const path = { notification_id: started.notification_id }
  const { summary, pagination } = await admin.listCampaignRecipients({ path, query: { status: 'sent' } })
  expect(pagination.total_items).toBe(summary.counts.sent)
})

describe('a call that is refused', () => {
  test('rejects with the message of the service and the names of the fields', async () => {
    const refusal = await refused(connect().register({ body: { email: 'no', password: 'long enough', name: 'Ann' } }))
    expect(refusal).toMatchObject({ status: 422, code: 'VALIDATION_ERROR', message: 'Some fields are not valid.' })
    expect(refusal.fields).toEqual({ email: ['must be an e-mail address, such as ada@example.com'] })
    expect(refusal.requestId).toMatch(/^[\w-]{36}$/)
  })

  test('because somebody else changed the record contains the current record', async ({ given }) => {
    const admin = connect(readToken(await given.admin()))
    const { userId } = await given.user()
    const change = { body: { id: userId, city: 'Ghent' }, header: { 'If-Match': '"v1"' } }
    expect((await admin.updateUser(change)).data).toMatchObject({ version: 2 })
    const refusal = await refused(admin.updateUser(change))
    expect(refusal).toMatchObject({ status: 412, code: 'STALE_VERSION', data: { id: userId, version: 2 } })
  })

  test('says whether there was no connection, no answer in time, or nobody who waited for it', async () => {
    const silent = await listening(() => undefined)
    expect(await refused(connect(undefined, { ...silent, timeoutMs: 50 }).getHealth())).toMatchObject({
      status: 0,
      code: 'TIMED_OUT',
    })
    const leaving = new AbortController()
    const waiting = refused(connect(undefined, silent).getHealth({ signal: leaving.signal }))
    leaving.abort()
    expect(await waiting).toMatchObject({ status: 0, code: 'CANCELLED' })
    expect(await refused(connect().getHealth({ signal: AbortSignal.abort() }))).toMatchObject({ code: 'CANCELLED' })
    // Nobody listens on port 1.
    const offline = connect(undefined, { baseUrl: 'http://127.0.0.1:1' })
    expect(await refused(offline.getHealth())).toMatchObject({ status: 0, code: 'UNREACHABLE' })
  })

  test.for([
    { by: 'a proxy, with a page', status: 502, type: 'text/html', text: '<h1>Bad gateway</h1>' },
    { by: 'a proxy, with a half of JSON', status: 502, type: 'application/json', text: '{"success": fal' },
    { by: 'a success that was cut', status: 200, type: 'application/json', text: '{"success": tr' },
  ])('by $by is unreadable, whatever it says', async ({ status, type, text }) => {
    const cut = await listening((response) => response.writeHead(status, { 'Content-Type': type }).end(text))
    expect(await refused(connect(undefined, cut).getHealth())).toMatchObject({ status, code: 'UNREADABLE' })
  })
})

/** The address of a server that answers so. */
async function listening(answer: (response: ServerResponse) => void): Promise<{ baseUrl: string }> {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('a file is returned unchanged, also a JSON file', async () => {
  const headers = { 'Content-Disposition': 'attachment; filename="users.json"' }
  const fetched = (() => Promise.resolve(Response.json([{ id: 1 }], { headers }))) as typeof fetch
  const file = await connect('token', { fetch: fetched }).exportUsers({ query: { format: 'json' } })
  expect(await file.text()).toBe('[{"id":1}]')
})

test('a stream continues after the time limit, until its reader disconnects', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const leaving = new AbortController()
  const timeoutMs = 50
  let signal: AbortSignal | undefined
  // It answers at once, so that the limit ends nothing else.
  const answering: Settings['fetch'] = (_, request) => {
    signal = request.signal
    return Promise.resolve(new Response(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }))
  }
  await connect('token', { fetch: answering, timeoutMs }).streamBadge({ signal: leaving.signal })
  vi.advanceTimersByTime(2 * timeoutMs)
  expect(signal?.aborted).toBe(false)
  leaving.abort()
  expect(signal?.aborted).toBe(true)
})

test('parameters of an address are encoded and cannot change its path', async ({ given }) => {
  const urls: string[] = []
  const fetched = ((url: string) => {
    urls.push(url)
    return Promise.resolve(Response.json({ success: true, data: {}, message: '' }))
  }) as typeof fetch
  const client = connect(readToken(await given.user()), { fetch: fetched })
  await client.endUserSession({ path: { id: 7, session_id: 'a/b?c=../d' } })
  await client.browseProducts({ query: { search: 'tea & cake', limit: 5 } })
  expect(urls).toEqual([
    `${baseUrl}/api/admin/v1/user/7/sessions/a%2Fb%3Fc%3D..%2Fd`,
    `${baseUrl}/api/v1/products?search=tea%20%26%20cake&limit=5`,
  ])
  for (const session_id of ['', '.', '..'])
    await expect(client.endUserSession({ path: { id: 7, session_id } })).rejects.toThrow('The path needs session_id.')
})

function readToken({ headers }: { headers: Record<string, string> }): string {
  return headers['authorization']!.replace('Bearer ', '')
}

/** A client of somebody who has just registered and signed in. */
async function registered(name: string): Promise<Administration> {
  const account = { email: `${name}@example.com`, password: 'long enough' }
  await connect().register({ body: { ...account, name } })
  const { data } = await connect().signIn({ body: account })
  if ('pending_token' in data) throw new Error('a second factor')
  return connect(data.token)
}
