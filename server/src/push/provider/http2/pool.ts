import { checkConnection, cut, isFree, isOpen, retire, type Connection, type ConnectionEvents } from './connection.ts'
import { startStream, type Exchange, type Http2Answer, type StreamEnd } from './exchange.ts'

/** Connections to one peer, and the requests that wait for one. */
export type Pool = PoolGround & {
  size: number
  queue: Exchange[]
  /** A connection that is gone stays here until its requests have ended. */
  connections: Connection[]
  /** Openings that failed since the last one that did not; after `maxFailures` of them nothing is reachable. */
  failures: number
  maxFailures: number
  isClosed: boolean
  isDispatching: boolean
}

/** What the pools of a client share. */
export type PoolGround = {
  now: () => number
  /** Called while requests wait for a place. */
  wait: () => void
  heard: () => void
  isReached: () => boolean
}

/** An opening or a PING promises a place for this long; then another connection may be opened beside it. */
const PROMISES_MS = 2_000
const MAX_OPENING = 3
const UNREACHABLE: Http2Answer = { kind: 'unsent', why: 'unreachable' }
const CROWDED: Http2Answer = { kind: 'unsent', why: 'crowded' }
const UNKNOWN: Http2Answer = { kind: 'unknown' }

export function createPool(size: number, ground: PoolGround): Pool {
  const counts = { failures: 0, maxFailures: 1 }
  return { ...ground, ...counts, size, queue: [], connections: [], isClosed: false, isDispatching: false }
}

export function enqueue(pool: Pool, exchange: Exchange): void {
  if (pool.isClosed) return exchange.answer(UNREACHABLE)
  const { queue } = pool
  const place = exchange.request.isUrgent ? queue.findIndex(({ request }) => !request.isUrgent) : -1
  queue.splice(place < 0 ? queue.length : place, 0, exchange)
  dispatch(pool)
}

export function wantsConnection({ queue, connections, size, now }: Pool): boolean {
  if (queue.length === 0) return false
  const time = now()
  let open = 0
  let opening = 0
  let resting = 0
  for (const { state, openedAt, pingedAt, exchanges, restsUntil } of connections) {
    if (state === 'opening') {
      if (time - openedAt < PROMISES_MS) return false
      opening++
    } else if (state === 'open') {
      if (exchanges.size === 0 && pingedAt !== undefined && time - pingedAt < PROMISES_MS) return false
      if (time < restsUntil) resting++
      else open++
    }
  }
  return open < size && resting <= size && opening < MAX_OPENING
}

export function addConnection(pool: Pool, open: (events: ConnectionEvents) => Connection): void {
  const connection = open({
    changed: () => {
      pool.failures = 0
      pool.heard()
      if (connection.exchanges.size === 0 && countOpen(pool) > pool.size) retire(connection)
      dispatch(pool)
    },
    gone: (hasFailedToOpen) => {
      forget(pool)
      if (hasFailedToOpen) fail(pool)
    },
  })
  pool.connections.push(connection)
}

/** An address does not answer. */
export function fail(pool: Pool): void {
  pool.failures++
  if (pool.failures < pool.maxFailures || pool.connections.some(({ state }) => state === 'open')) return
  pool.failures = 0
  for (const exchange of pool.queue.splice(0)) exchange.answer(findWhy(pool, exchange))
}

export function checkPool(pool: Pool): void {
  const time = pool.now()
  pool.queue = pool.queue.filter((exchange) => {
    const isEnded = time >= exchange.leavesBefore || (exchange.request.mayWait?.() === false && pool.isReached())
    if (isEnded) exchange.answer(findWhy(pool, exchange))
    return !isEnded
  })
  for (const connection of pool.connections) {
    for (const exchange of connection.exchanges) if (time >= exchange.deadline) giveUp(pool, connection, exchange)
    checkConnection(connection, time)
  }
  forget(pool)
  dispatch(pool)
}

/** Nothing more leaves; what left still ends. */
export function closePool(pool: Pool): void {
  pool.isClosed = true
  for (const exchange of pool.queue.splice(0)) exchange.answer(UNREACHABLE)
  for (const connection of pool.connections) {
    if (connection.state === 'opening') cut(connection)
    else retire(connection)
  }
}

/** Streams that are left end at once. */
export function cutPool({ connections }: Pool): void {
  for (const connection of connections) {
    cut(connection)
    for (const exchange of connection.exchanges) exchange.deadline = -Infinity
  }
}

/** A request that ends within calls this again, which leaves the next one to the loop that runs already. */
function dispatch(pool: Pool): void {
  if (pool.isDispatching) return
  pool.isDispatching = true
  while (pool.queue.length > 0) {
    const connection = leastBusy(pool)
    if (!connection) {
      pool.wait()
      break
    }
    begin(pool, connection, pool.queue.shift()!)
  }
  pool.isDispatching = false
}

function begin(pool: Pool, connection: Connection, exchange: Exchange): void {
  connection.exchanges.add(exchange)
  const mayBegin = ask(exchange)
  if (typeof mayBegin === 'boolean') start(pool, connection, exchange, mayBegin)
  else void mayBegin.then((may) => start(pool, connection, exchange, may))
}

function leastBusy({ connections, now }: Pool): Connection | undefined {
  const time = now()
  let best: Connection | undefined
  for (const connection of connections)
    if ((best === undefined || connection.exchanges.size < best.exchanges.size) && isFree(connection, time))
      best = connection
  return best
}

function ask({ request }: Exchange): boolean | Promise<boolean> {
  try {
    const answer = request.mayBegin?.() ?? true
    return typeof answer === 'boolean' ? answer : answer.catch(() => false)
  } catch {
    return false
  }
}

function start(pool: Pool, connection: Connection, exchange: Exchange, mayBegin: boolean): void {
  if (!connection.exchanges.has(exchange)) return undefined
  if (!mayBegin) return finish(pool, connection, exchange, { kind: 'unsent', why: 'forbidden' })
  // While the gate was asked, the peer may have closed the connection, or allowed fewer streams.
  if (!isOpen(connection) || connection.streams >= connection.limit) return putBack(pool, connection, exchange)
  try {
    exchange.cancel = startStream(connection, exchange.request, (end) => settle(pool, connection, exchange, end))
  } catch {
    settle(pool, connection, exchange, 'refused')
  }
}

/** A refused request is tried once more at once. */
function settle(pool: Pool, connection: Connection, exchange: Exchange, end: StreamEnd): void {
  if (!connection.exchanges.has(exchange)) return undefined
  if (end === 'unknown') return finish(pool, connection, exchange, UNKNOWN)
  if (end !== 'refused') return finish(pool, connection, exchange, end)
  if (exchange.wasRefused) return finish(pool, connection, exchange, { kind: 'unsent', why: 'refused' })
  exchange.wasRefused = true
  exchange.cancel = undefined
  putBack(pool, connection, exchange)
}

function putBack(pool: Pool, connection: Connection, exchange: Exchange): void {
  connection.exchanges.delete(exchange)
  if (pool.isClosed) return exchange.answer(UNREACHABLE)
  // A request that surely was not sent keeps that outcome: begun anew it would be cancelled at once, and be unknown.
  if (pool.now() >= exchange.leavesBefore) return exchange.answer(findWhy(pool, exchange))
  pool.queue.unshift(exchange)
  dispatch(pool)
}

function finish(pool: Pool, connection: Connection, exchange: Exchange, answer: Http2Answer): void {
  connection.exchanges.delete(exchange)
  exchange.answer(answer)
  dispatch(pool)
}

/** One that left ends with its stream, or without it at the next look. */
function giveUp(pool: Pool, connection: Connection, exchange: Exchange): void {
  if (!exchange.cancel) return finish(pool, connection, exchange, UNREACHABLE)
  if (exchange.isCancelled) return finish(pool, connection, exchange, UNKNOWN)
  exchange.isCancelled = true
  exchange.cancel()
}

function findWhy(pool: Pool, { request }: Exchange): Http2Answer {
  return request.mayWait && pool.isReached() ? CROWDED : UNREACHABLE
}

function forget(pool: Pool): void {
  pool.connections = pool.connections.filter(({ state, exchanges }) => state !== 'gone' || exchanges.size > 0)
}

function countOpen({ connections, now }: Pool): number {
  const time = now()
  return connections.filter(({ state, restsUntil }) => state === 'open' && time >= restsUntil).length
}
