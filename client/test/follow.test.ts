// Slow: a second or more for each test, or five for the file.
import { getEventListeners, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createClient } from '../src/app.ts'
import { follow } from '../src/events.ts'

const leftOpen: (() => Promise<void>)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const close of leftOpen.splice(0)) await close()
})

test('a connection that is lost without a sign is opened again after a minute of silence, from its last event', async () => {
  const { api, asked } = await serve(
    (response) => response.write('id: 7\nevent: badge\ndata: {"total":1}\n\n'),
    (response) => response.write('id: 8\nevent: badge\ndata: {"total":2}\n\n'),
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const reading = follow(api.streamBadge, { wait: () => Promise.resolve() })
  expect((await reading.next()).value).toMatchObject({ id: '7' })
  const next = reading.next()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(asked).toEqual([undefined])
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await next).value).toMatchObject({ id: '8' })
  expect(asked).toEqual([undefined, '7'])
  await reading.return()
})

test('the service says how long a stream waits before it is opened again', async () => {
  const refused = { success: false, code: 'OVERLOADED', error: 'Too much at once.' }
  const { api } = await serve(
    (response) => response.end('retry: 4000\n\nevent: end\ndata: {"reason":"draining"}\n\n'),
    (response) =>
      response.writeHead(503, { 'Retry-After': '7', 'Content-Type': 'application/json' }).end(JSON.stringify(refused)),
    (response) => response.end('retry: 2000\n\nevent: end\ndata: {"reason":"replaced"}\n\n'),
    (response) => response.end('retry: 2000\n\nevent: badge\ndata: {"total":1}\n\n'),
    (response) => response.end(),
  )
  const leaving = new AbortController()
  const waited: [number, number][] = []
  const wait = async (attempt: number, _: unknown, askedMs: number) => {
    waited.push([attempt, askedMs])
    if (waited.length === 5) leaving.abort()
  }
  for await (const event of follow(api.streamBadge, { signal: leaving.signal, wait })) expect(event).toBeDefined()
  expect(waited).toEqual([
    [1, 4_000],
    [2, 7_000],
    [3, 30_000],
    [1, 2_000],
    [2, 2_000],
  ])
})

test('a stream that is opened again and again leaves nothing at the signal of its reader', async () => {
  const { api } = await serve(tellBadge, tellBadge, tellBadge, tellBadge)
  const leaving = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 500 })
  const reading = follow(api.streamBadge, { signal: leaving.signal })
  for (let opened = 0; opened < 4; opened++) await reading.next()
  expect(getEventListeners(leaving.signal, 'abort').length).toBeLessThanOrEqual(1)
  const next = reading.next()
  leaving.abort()
  expect(await next).toEqual({ done: true, value: undefined })
  expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
})

const tellBadge = (response: ServerResponse) => response.end('retry: 1\n\nevent: badge\ndata: {"total":1}\n\n')

/** A service whose stream answers so, call after call. */
async function serve(...answers: ((response: ServerResponse) => unknown)[]) {
  const asked: (string | string[] | undefined)[] = []
  const server = createServer((request, response) => {
    const answer = answers[asked.push(request.headers['last-event-id']) - 1]
    response.setHeader('Content-Type', 'text/event-stream')
    answer?.(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  leftOpen.push(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
  return { api: createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }), asked }
}
