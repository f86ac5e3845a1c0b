import { EventEmitter } from 'node:events'
import { constants } from 'node:http2'
import { expect, test } from 'vitest'
import type { Connection, ConnectionEvents } from './connection.ts'
import type { Http2Answer } from './exchange.ts'
import { addConnection, checkPool, createPool, enqueue } from './pool.ts'

const FRESH = { deadline: 1_000, leavesBefore: 900, wasRefused: false, cancel: undefined, isCancelled: false }

test('a request whose stream never tells of its end is unknown at its deadline, also without its connection', async () => {
  let now = 0
  const pool = createPool(1, { now: () => now, wait: nothing, heard: nothing, isReached: () => true })
  let events: ConnectionEvents | undefined
  addConnection(pool, (given) => silentConnection((events = given)))
  const answers: Http2Answer[] = []
  const request = { path: '/one', headers: {}, body: '' }
  const answer = (given: Http2Answer) => void answers.push(given)
  enqueue(pool, { ...FRESH, request, answer })
  const [connection] = pool.connections
  connection!.state = 'gone'
  events?.gone(false)
  for (now = 0; now <= 1_200; now += 100) checkPool(pool)
  expect(answers).toEqual([{ kind: 'unknown' }])
  expect(pool.connections).toEqual([])
})

test('a request that is refused after its deadline is unsent, and not begun again', () => {
  let now = 0
  const pool = createPool(1, { now: () => now, wait: nothing, heard: nothing, isReached: () => true })
  const streams: EventEmitter[] = []
  addConnection(pool, (given) => silentConnection(given, streams))
  const answers: Http2Answer[] = []
  const request = { path: '/one', headers: {}, body: '' }
  const answer = (given: Http2Answer) => void answers.push(given)
  enqueue(pool, { ...FRESH, request, answer })
  now = 1_000
  checkPool(pool)
  Object.assign(streams[0]!, { id: 1, rstCode: constants.NGHTTP2_REFUSED_STREAM }).emit('close')
  expect(answers).toEqual([{ kind: 'unsent', why: 'unreachable' }])
  expect(streams).toHaveLength(1)
})

test('a connection that ends is given up when its peer does not close it for twenty seconds', () => {
  let now = 0
  const pool = createPool(1, { now: () => now, wait: nothing, heard: nothing, isReached: () => true })
  addConnection(pool, (given) => silentConnection(given))
  pool.connections[0]!.state = 'ending'
  for (; now <= 20_000; now += 1_000) checkPool(pool)
  expect(pool.connections).toHaveLength(1)
  checkPool(pool)
  expect(pool.connections).toEqual([])
})

/** Node's session and its streams, which say nothing. */
function silentConnection(events: ConnectionEvents, streams: EventEmitter[] = []): Connection {
  const open = () => {
    const stream = Object.assign(new EventEmitter(), { end: nothing, close: nothing, destroy: nothing })
    streams.push(stream)
    return stream
  }
  const session = { closed: false, destroyed: false, request: open, close: nothing, destroy: nothing }
  return {
    session: session as unknown as Connection['session'],
    socket: { destroy: nothing } as unknown as Connection['socket'],
    events,
    exchanges: new Set(),
    state: 'open',
    streams: 0,
    limit: 10,
    openedAt: 0,
    heardAt: 0,
    pingedAt: undefined,
    restsUntil: 0,
    retiresAt: Infinity,
    goaway: undefined,
    heard: nothing,
    control: { rest: nothing, retire: nothing },
  }
}

function nothing(): void {}
