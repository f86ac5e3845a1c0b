// Slow: a second or more for each test, or five for the file.
import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startFullServer } from '../../../../test/support/full-server.ts'
import { startSimulator, type Simulator } from '../../../../../simulator/src/server.ts'
import { createExpoProvider } from './expo.ts'
import type { Provider, Push } from '../provider.ts'

const REFUSED = { kind: 'refused', code: 'ProviderUnavailable', retry: true }
const UNREACHED = { kind: 'failing', code: 'ProviderUnavailable' }

describe('a connection that was never made', () => {
  test.for<[string, () => Promise<string>]>([
    ['refused', () => Promise.resolve('http://127.0.0.1:1')],
    ['to a host without an address', () => Promise.resolve('http://no-such-host.invalid')],
    ['whose TLS is never answered', async () => httpsTo(await listen(createServer(() => undefined)))],
    ['that ends before TLS is agreed on', async () => httpsTo(await listen(createServer((socket) => socket.end())))],
    ['reset before TLS is agreed on', async () => httpsTo(await listen(createServer((s) => void s.resetAndDestroy())))],
  ])('%s is a refusal, and known before a request could have run out of time', async ([, address]) => {
    const answer = await providerAt(await address()).submit(pushes(2))
    expect(answer).toEqual({ outcomes: [REFUSED, REFUSED], wasSent: [false, false], health: UNREACHED })
  })
})

describe('a request whose connection takes long', () => {
  test('checks again when it is made: a request that may not be sent any more is not, and does not count for the breaker', async () => {
    const full = await fullServer()
    let mayBegin = true
    const submitting = providerAt(full.url, { timeoutSeconds: 8 }).submit(pushes(1), () => mayBegin)
    await sleep(100)
    mayBegin = false
    full.open()
    expect(await submitting).toEqual({
      outcomes: [REFUSED],
      wasSent: [false],
      health: { kind: 'busy', retryAfterMs: 0 },
    })
    expect(full.requests()).toBe(0)
  })

  test('is sent once if it still may be', async () => {
    const full = await fullServer()
    let asked = 0
    const submitting = providerAt(full.url, { timeoutSeconds: 8 }).submit(pushes(1), () => ++asked > 0)
    await sleep(100)
    full.open()
    expect((await submitting).outcomes).toEqual([{ kind: 'accepted', ticketId: 'ticket-1' }])
    expect([asked, full.requests()]).toEqual([2, 1])
  })

  test('surely sent nothing if its connection is given up', async () => {
    const full = await fullServer()
    const answer = await providerAt(full.url).submit(pushes(1))
    expect(answer).toEqual({ outcomes: [REFUSED], wasSent: [false], health: UNREACHED })
  })
})

test('an answer that was compressed without being asked for is read, and one that grows beyond the limit is unknown', async () => {
  const told: { encoding?: unknown; body: string } = { body: '{"data":[{"status":"ok","id":"ticket-1"}]}' }
  const server = createHttpServer((request, response) => {
    told.encoding = request.headers['accept-encoding']
    response.setHeader('content-encoding', 'gzip').end(gzipSync(told.body))
  })
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${await readPort(server)}`
  expect((await providerAt(address).submit(pushes(1))).outcomes).toEqual([{ kind: 'accepted', ticketId: 'ticket-1' }])
  expect(told.encoding).toBe('identity')
  told.body = ' '.repeat(1_000_001)
  expect((await providerAt(address).submit(pushes(1))).outcomes).toMatchObject([{ kind: 'unknown' }])
})

async function readPort(server: HttpServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('a request that is split', () => {
  test('sends no part that may not begin any more: its pushes are surely unsent', async () => {
    const provider = await simulator()
    provider.script([{ match: 'send', status: 400 }])
    const allowed = [true, true, false]
    const answer = await providerAt(provider.url).submit(pushes(4), () => allowed.shift() ?? false)
    expect(answer.outcomes.map((outcome) => outcome.kind)).toEqual(['accepted', 'accepted', 'refused', 'refused'])
    expect(answer.outcomes.slice(2)).toEqual([REFUSED, REFUSED])
    expect(answer.wasSent).toEqual([true, true, true, true])
    expect(provider.log()).toHaveLength(2)
  })

  test('is not begun if it may not be, and does not count for the breaker', async () => {
    const provider = await simulator()
    const answer = await providerAt(provider.url).submit(pushes(1), () => false)
    expect(answer).toEqual({ outcomes: [REFUSED], wasSent: [false], health: { kind: 'busy', retryAfterMs: 0 } })
    expect(provider.state().sendRequests).toBe(0)
  })

  test.for([
    [401, 'Unauthorized', { kind: 'misconfigured', code: 'Unauthorized' }],
    [429, 'RateLimited', { kind: 'busy', retryAfterMs: 1_000 }],
    [503, 'OutcomeUnknown', { kind: 'failing', code: 'OutcomeUnknown' }],
  ] as const)('sends no further part after an answer of %d', async ([status, code, health]) => {
    const provider = await simulator()
    provider.script([
      { match: 'send', status: 400 },
      { match: 'send', status },
    ])
    const answer = await providerAt(provider.url).submit(pushes(4))
    expect(answer.outcomes).toMatchObject([{ code }, { code }, REFUSED, REFUSED])
    expect(answer.health).toEqual(health)
    expect(provider.state().sendRequests).toBe(2)
  })

  test('is split at most forty times, and only a single push is refused for good', async () => {
    const provider = await simulator()
    provider.script([{ match: 'send', status: 400, times: 0 }])
    const { outcomes } = await providerAt(provider.url).submit(pushes(100))
    expect(provider.state().sendRequests).toBeLessThanOrEqual(81)
    const refused = outcomes.filter((outcome) => outcome.kind === 'refused' && outcome.code === 'RequestRefused')
    expect(refused).toHaveLength(100)
    expect(refused.some((outcome) => outcome.kind === 'refused' && outcome.retry)).toBe(true)
  })
})

describe('a question for receipts that is refused', () => {
  test('is divided until the ids that are refused are alone, which have no receipt', async () => {
    const provider = await refusing(({ ids }) => ids.includes('bad'))
    const good = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const { receipts, health } = await askFor(provider, [...good, 'bad'])
    expect([...receipts.keys()]).toEqual(good)
    expect(health).toEqual({ kind: 'healthy' })
    expect((await askFor(provider, ['bad'])).health).toEqual({ kind: 'healthy' })
  })

  test('is divided at most forty times; a provider that refuses all of them fails, as does its probe', async () => {
    let asked = 0
    const provider = await refusing(() => ++asked > 0)
    const ids = Array.from({ length: 1_000 }, (_, n) => `ticket-${n}`)
    const failing = { kind: 'failing', code: 'RequestRefused' }
    expect(await askFor(provider, ids)).toEqual({ receipts: new Map(), health: failing })
    expect(asked).toBeLessThanOrEqual(81)
    expect(await provider.probe()).toEqual(failing)
  })
})

/** A provider that answers 400 to such questions, and gives a receipt for each id of others. */
async function refusing(isRefused: (question: { ids: string[] }) => boolean): Promise<Provider> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const isZipped = request.headers['content-encoding'] === 'gzip'
    const question = JSON.parse((isZipped ? gunzipSync(body) : body).toString()) as { ids: string[] }
    const data = Object.fromEntries(question.ids.map((id) => [id, { status: 'ok' }]))
    if (isRefused(question)) response.writeHead(400).end('{"errors":[{"code":"VALIDATION_ERROR"}]}')
    else response.end(JSON.stringify({ data }))
  }
  const server = createHttpServer((request, response) => void answer(request, response))
  onTestFinished(() => void server.close())
  return providerAt(`http://127.0.0.1:${await readPort(server)}`)
}

function askFor(provider: Provider, ids: string[]) {
  if (provider.deliveryKnown === 'at once') throw new Error('It has no receipts.')
  return provider.fetchReceipts(ids)
}

function providerAt(address: string, { timeoutSeconds = 1 } = {}): Provider {
  const provider = createExpoProvider({
    EXPO_BASE_URL: address,
    EXPO_ACCESS_TOKEN: '',
    PUSH_CONCURRENCY: 2,
    PUSH_TIMEOUT_SECONDS: timeoutSeconds,
  })
  onTestFinished(() => provider.close())
  return provider
}

async function fullServer() {
  const full = await startFullServer()
  onTestFinished(() => full.close())
  return full
}

async function simulator(): Promise<Simulator> {
  const started = await startSimulator({ port: 0, ratePerSecond: 0 })
  onTestFinished(() => started.close())
  return started
}

/** The port on which it listens until the test is over. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function httpsTo(port: number): string {
  return `https://127.0.0.1:${port}`
}

function pushes(count: number): Push[] {
  const content = { title: 'a', body: 'b', data: null, urgent: false, mergeKey: null }
  return Array.from({ length: count }, (_, index) => ({
    to: `ExponentPushToken[${index}]`,
    platform: 'ios',
    notificationId: index + 1,
    isProven: true,
    content,
    expiresAt: new Date(Date.now() + 60_000),
  }))
}
