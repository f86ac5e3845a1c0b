import { checkConnection, cut, isFree, isOpen, retire, type Connection, type ConnectionEvents } from './connection.ts'
import { startStream, type Exchange, type Http2Answer, type StreamEnd } from './exchange.ts'

/** Connections to one peer, and the requests that wait for one. */
export type Pool = {
  size: number
  now: () => number
  /** Called while requests wait for a place. */
  wait: () => void
  queue: Exchange[]
  connections: Connection[]
  /** Openings that failed since one was the last that did not, and after how many of them nothing is reachable. */
  failures: number
  maxFailures: number
  isClosed: boolean
  isDispatching: boolean
}

/** For so long an opening or a PING promises a place; then another connection may be opened beside it. */
const PROMISES_MS = 2_000
const MAX_OPENING = 3
const UNREACHABLE: Http2Answer = { kind: 'unsent', why: 'unreachable' }

export function createPool(size: number, now: () => number, wait: () => void): Pool {
  return {
    size,
    now,
    wait,
    queue: [],
    connections: [],
    failures: 0,
    maxFailures: 1,
    isClosed: false,
    isDispatching: false,
  }
}

export function enqueue(pool: Pool, exchange: Exchange): void {
  if (pool.isClosed) return exchange.answer(UNREACHABLE)
  pool.queue.push(exchange)
  dispatch(pool)
}

/** Whether requests wait for a connection that is not there. */
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
      if (connection.exchanges.size === 0 && countOpen(pool) > pool.size) retire(connection)
      dispatch(pool)
    },
    gone: (hasFailedToOpen) => {
      pool.connections = pool.connections.filter((other) => other !== connection)
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
  for (const exchange of pool.queue.splice(0)) exchange.answer(UNREACHABLE)
}

/** Ends what is too late, and does what is due on each connection. */
export function checkPool(pool: Pool): void {
  const time = pool.now()
  pool.queue = pool.queue.filter((exchange) => {
    if (time < exchange.deadline) return true
    exchange.answer(UNREACHABLE)
    return false
  })
  for (const connection of pool.connections) {
    for (const exchange of connection.exchanges) if (time >= exchange.deadline) giveUp(pool, connection, exchange)
    checkConnection(connection, time)
  }
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
  if (!isOpen(connection)) return putBack(pool, connection, exchange)
  try {
    exchange.cancel = startStream(connection, exchange.request, (end) => settle(pool, connection, exchange, end))
  } catch {
    settle(pool, connection, exchange, 'refused')
  }
}

/** A refused request is tried once more at once. */
function settle(pool: Pool, connection: Connection, exchange: Exchange, end: StreamEnd): void {
  if (end === 'unknown') return finish(pool, connection, exchange, { kind: 'unknown' })
  if (end !== 'refused') return finish(pool, connection, exchange, end)
  if (exchange.wasRefused) return finish(pool, connection, exchange, { kind: 'unsent', why: 'refused' })
  exchange.wasRefused = true
  exchange.cancel = undefined
  putBack(pool, connection, exchange)
}

function putBack(pool: Pool, connection: Connection, exchange: Exchange): void {
  connection.exchanges.delete(exchange)
  if (pool.isClosed) return exchange.answer(UNREACHABLE)
  pool.queue.unshift(exchange)
  dispatch(pool)
}

function finish(pool: Pool, connection: Connection, exchange: Exchange, answer: Http2Answer): void {
  connection.exchanges.delete(exchange)
  exchange.answer(answer)
  dispatch(pool)
}

/** One that left ends with its stream. */
function giveUp(pool: Pool, connection: Connection, exchange: Exchange): void {
  if (exchange.cancel) exchange.cancel()
  else finish(pool, connection, exchange, UNREACHABLE)
}

function countOpen({ connections, now }: Pool): number {
  const time = now()
  return connections.filter(({ state, restsUntil }) => state === 'open' && time >= restsUntil).length
}
