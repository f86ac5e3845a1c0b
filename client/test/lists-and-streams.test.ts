import { expect, vi } from 'vitest'
import { test } from '../../server/test/support/app.ts'
import { startService } from '../../server/test/support/service.ts'
import { createClient } from '../src/administration.ts'
import { events, follow, type ServerEvent } from '../src/events.ts'
import { records } from '../src/records.ts'
import type { Settings } from '../src/calls.ts'

/** A service that ends waits for connections that are kept open. */
const onItsOwnConnection: NonNullable<Settings['fetch']> = (url, request) =>
  fetch(url, { ...request, headers: { ...request.headers, Connection: 'close' } })

let baseUrl: string

test.beforeAll(async ({ service }) => {
  baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
})

function connect(token: string) {
  return createClient({ baseUrl, token: () => token, fetch: onItsOwnConnection })
}

test('records of a list come page after page, by number and by cursor', async ({ deps, given }) => {
  const { headers, userId } = await given.user()
  const user = connect(readToken({ headers }))
  const { category_id } = await deps.db
    .insertInto('categories')
    .values({ name: 'Kitchen', slug: 'kitchen-of-lists' })
    .returning('category_id')
    .executeTakeFirstOrThrow()
  const about = { description: 'As new', category_id, condition: 'good', submit: true } as const
  const ids: number[] = []
  for (const title of ['Kettle', 'Chair', 'Lamp', 'Mug', 'Bowl'])
    ids.push((await user.createMyProduct({ body: { title, ...about } })).data.id)
  const mine: number[] = []
  for await (const { id } of records(user.listMyProducts, { query: { limit: 2 } })) mine.push(id)
  expect(mine.toSorted((a, b) => a - b)).toEqual(ids)
  const admin = connect(readToken(await given.admin()))
  const listed: number[] = []
  for await (const { id } of records(admin.listProducts, { query: { per_page: 2, user_id: userId } })) listed.push(id)
  expect(listed.toSorted((a, b) => a - b)).toEqual(ids)
})

test('a stream that ends is opened again from its last event, until its reader leaves', async () => {
  const living = await startService({ STREAM_SECONDS: 600 })
  const url = await living.app.listen({ port: 0, host: '127.0.0.1' })
  const token = readToken(await living.given.user())
  const asked: (string | undefined)[] = []
  const api = createClient({
    baseUrl: url,
    token: () => token,
    fetch: async (address, request) => {
      asked.push(request.headers['last-event-id'])
      const response = await onItsOwnConnection(address, request)
      // The first answer ends after its first event.
      return asked.length === 1 ? cutAfterFirst(response) : response
    },
  })
  const leaving = new AbortController()
  const reading = follow(api.streamBadge, { signal: leaving.signal, wait: () => Promise.resolve() })
  const first = (await reading.next()).value as ServerEvent
  expect(first).toMatchObject({ event: 'badge', data: { total: 0 } })
  const next = reading.next()
  await vi.waitFor(() => expect(asked).toEqual([undefined, first.id]), { timeout: 300_000 })
  leaving.abort()
  expect(await next).toEqual({ done: true, value: undefined })
  await living.close()
})

test('a refused stream ends its reading with the refusal', async () => {
  await expect(follow(connect('nobody').streamBadge).next()).rejects.toMatchObject({
    status: 401,
    code: 'UNAUTHENTICATED',
  })
})

test('events are read whole, however their bytes are cut', async () => {
  const text = 'event: badge\nid: 7\ndata: {"total":1}\n\n: a comment\n\ndata: {"word":"Grüße"}\n\nevent: cut\ndata: {'
  for (const size of [1, 2, 3, 7, 1_000]) {
    const seen: ServerEvent[] = []
    for await (const event of events(new Response(inPieces(text, size)))) seen.push(event)
    expect(seen).toEqual([
      { event: 'badge', id: '7', data: { total: 1 } },
      { event: 'message', id: undefined, data: { word: 'Grüße' } },
    ])
  }
})

function inPieces(text: string, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
}

async function cutAfterFirst(response: Response): Promise<Response> {
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new Response(value)
}

function readToken({ headers }: { headers: Record<string, string> }): string {
  return headers['authorization']!.replace('Bearer ', '')
}
