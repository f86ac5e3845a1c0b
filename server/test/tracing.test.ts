// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProcess, type Process } from '../../tools/torture/processes.ts'
import { startCollector, type Collector } from './support/collector.ts'
import { startRealTime, type RealTime } from './support/real-time.ts'

const TRACE = 'abcdef0123456789abcdef0123456789'
const CALLER = 'abcdef0123456789'
const SEND = 'POST /api/admin/send-notification'

let real: RealTime
let collector: Collector
let folder: string
let web: Process
let worker: Process

beforeAll(async () => {
  ;[real, collector] = await Promise.all([startRealTime(), startCollector()])
  folder = await mkdtemp(join(tmpdir(), 'tracing-'))
  const { DATABASE_URL, JWT_SECRET, EXPO_BASE_URL } = real.deps.config
  const settings = {
    NODE_ENV: 'test',
    DATABASE_URL,
    JWT_SECRET,
    EXPO_BASE_URL,
    PORT: '0',
    PUSH_RATE_PER_SECOND: '0',
    RECEIPT_DELAY_SECONDS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key',
    OTEL_SERVICE_NAME: 'swaps',
  }
  const folders = { log: folder, compiled: join(folder, 'compiled') }
  ;[web, worker] = (await Promise.all(
    (['web', 'worker'] as const).map((kind) => startProcess(kind, folders, { ...settings, PROCESS: kind })),
  )) as [Process, Process]
})

afterAll(async () => {
  await Promise.all([web.terminate(), worker.terminate()])
  await Promise.all([real.close(), collector.close()])
  await rm(folder, { recursive: true })
})

async function call(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: unknown) {
  const { headers: own } = await real.given.admin()
  return fetch(web.url + path, {
    method,
    headers: { ...own, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function sendTo(userIds: number[], headers: Record<string, string> = {}) {
  const body = { user_ids: userIds, title: 'Hello', text: 'There', promotional: false }
  expect((await call('POST', '/api/admin/send-notification', headers, body)).status).toBe(202)
}

function named(name: string) {
  return collector.spans.filter((span) => span.name === name)
}

async function readLog(name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, `${name}.log`), 'utf8')
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
}

describe('tracing', () => {
  test('shows a push in one trace, from its request to its receipt, across two processes', async () => {
    const user = await real.given.user({ devices: [{}] })
    await sendTo([user.userId], { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': 'the-request' })
    await expect.poll(() => named('settle').length).toBe(1)
    await call('GET', '/api/admin/process-receipts', { traceparent: `00-${'1'.repeat(32)}-${CALLER}-00` })
    await expect.poll(() => named('fetch receipts').length).toBe(1)

    const story = collector.spans.filter((span) => span.traceId === TRACE)
    const toId = (name: string) => story.find((span) => span.name === name)?.spanId
    const told = story.map(({ name, process, parentSpanId }) => ({ name, process, parentSpanId }))
    expect(told.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: 'fetch receipts', process: 'worker', parentSpanId: toId(SEND) },
      { name: SEND, process: 'web', parentSpanId: CALLER },
      { name: 'send batches', process: 'worker', parentSpanId: toId(SEND) },
      { name: 'settle', process: 'worker', parentSpanId: toId('send batches') },
      { name: 'submit', process: 'worker', parentSpanId: toId('send batches') },
    ])
    expect(story.find(({ name }) => name === SEND)?.attributes).toMatchObject({
      'http.response.status_code': 202,
      request_id: 'the-request',
    })
    expect(story.find(({ name }) => name === 'submit')?.attributes).toMatchObject({
      provider: 'expo',
      pushes: 1,
      accepted: 1,
      refused: 0,
      unknown: 0,
    })
    // The caller decided that the other request is not traced.
    expect(named('GET /api/admin/process-receipts')).toEqual([])
    expect(story[0]?.service).toBe('swaps')
    expect(collector.headers[0]).toMatchObject({ 'x-key': 'a key' })
    const lines = await readLog('web')
    expect(lines.find((line) => line['request_id'] === 'the-request')).toMatchObject({ trace_id: TRACE })
  })

  test('links what is sent together, and has no span for each push', async () => {
    worker.freeze()
    const before = collector.spans.length
    const users = await Promise.all(Array.from({ length: 3 }, () => real.given.user({ devices: [{}] })))
    for (const { userId } of users) await sendTo([userId])
    worker.thaw()
    await expect
      .poll(
        () =>
          new Set(
            named(SEND)
              .slice(1)
              .map((span) => span.traceId),
          ).size,
      )
      .toBe(3)
    const traces = new Set(
      named(SEND)
        .slice(1)
        .map((span) => span.traceId),
    )
    const linked = () =>
      new Set(
        named('send batches')
          .slice(1)
          .flatMap(({ traceId, links }) => [traceId, ...links]),
      )
    await expect.poll(linked).toEqual(traces)
    // Three requests, and a claim with its parts for each at most.
    expect(collector.spans.length - before).toBeLessThanOrEqual(3 + 3 * 3)
  })

  test('stores no trace for untraced requests, and a wrong header begins a new trace', async () => {
    const user = await real.given.user({ devices: [{}] })
    const readTrace = async () => {
      const newest = real.deps.db.selectFrom('messages').select('trace_context').orderBy('message_id', 'desc').limit(1)
      return (await newest.executeTakeFirstOrThrow()).trace_context
    }
    await sendTo([user.userId], { traceparent: `00-${'2'.repeat(32)}-${CALLER}-00` })
    expect(await readTrace()).toBeNull()
    for (const wrong of [`00-${'0'.repeat(32)}-${CALLER}-01`, 'x', `00-${TRACE}-${CALLER}-01-${'9'.repeat(500)}`]) {
      await sendTo([user.userId], { traceparent: wrong })
      expect(await readTrace()).toMatch(new RegExp(`^00-(?!${TRACE})[\\da-f]{32}-[\\da-f]{16}-01$`))
    }
  })
})
