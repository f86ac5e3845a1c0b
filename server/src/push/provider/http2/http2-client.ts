import { ADDRCONFIG } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { Clock } from '../../../platform/shared/clock.ts'
import type { Log } from '../../../platform/shared/log.ts'
import { trustAlso } from '../http/trust.ts'
import { isOpen, openConnection } from './connection.ts'
import type { Http2Answer, Http2Request } from './exchange.ts'
import {
  addConnection,
  checkPool,
  closePool,
  createPool,
  cutPool,
  enqueue,
  fail,
  wantsConnection,
  type Pool,
} from './pool.ts'

export type Http2Client = {
  /** Never rejects, and ends within `timeoutMs`. */
  request(request: Http2Request): Promise<Http2Answer>
  /** Requests that left have 20 s to end. */
  close(): Promise<void>
}

export type Http2ClientOptions = {
  address: URL
  /** A certificate authority (PEM) beside those that Node knows. */
  ca?: string | undefined
  connections: number
  timeoutMs: number
  /** The time between two looks at the clock. Default 100. */
  tickMs?: number
  log?: Pick<Log, 'warn'> | undefined
  /** One that never jumps. */
  clock?: Clock
  resolve?: (name: string) => Promise<string[]>
}

const TICK_MS = 100
const STALLED_MS = 1_000
// Faster looks like an attack to Apple.
const OPEN_EVERY_MS = 1_000
const CLOSES_WITHIN_MS = 20_000
const MAX_FAILURES = 3
/** A peer that was heard so long ago is reached, although its connections ended. */
const REACHED_MS = 10_000

/**
 * HTTP/2 to one peer by some connections. Requests wait here, because what waits in Node above the peer's limit cannot
 * be told from what left. Those in quarantine have a third as many connections of their own.
 */
export function openHttp2Client(options: Http2ClientOptions): Http2Client {
  const { address: url, connections, timeoutMs, ca, log } = options
  const { tickMs = TICK_MS, clock = performance, resolve = lookUp } = options
  const secureContext = trustAlso(ca)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const now = () => clock.now()
  let heardAt = -Infinity
  const ground = { now, wait: openNext, heard: () => (heardAt = now()), isReached }
  const main = createPool(connections, ground)
  const quarantine = createPool(Math.ceil(connections / 3), ground)
  const pools = [main, quarantine]
  let opensAt = now()
  let isResolving = false
  let turn = 0
  let checkedAt = now()
  let cutsAt = Infinity
  const closed = Promise.withResolvers<void>()
  const ticks = setInterval(check, tickMs)

  function openNext(): void {
    if (isResolving || now() < opensAt) return
    const wanting = pools.filter(wantsConnection)
    const pool = wanting.find((one) => one.connections.length === 0) ?? wanting[0]
    if (pool) void open(pool)
  }

  function isReached(): boolean {
    return now() - heardAt < REACHED_MS || pools.some((pool) => pool.connections.some(isOpen))
  }

  async function open(pool: Pool): Promise<void> {
    opensAt = now() + OPEN_EVERY_MS * (1 + Math.random() / 5)
    isResolving = true
    try {
      const addresses = await resolve(name)
      pool.maxFailures = Math.min(addresses.length, MAX_FAILURES)
      const address = addresses[turn++ % addresses.length] ?? name
      if (!pool.isClosed)
        addConnection(pool, (events) => openConnection({ url, name, address, secureContext, now, log }, events))
    } catch (err) {
      log?.warn({ err }, 'the name of a push provider has no address')
      fail(pool)
    }
    isResolving = false
  }

  // After a stall of this process answers may lie unread in the sockets, so nothing is judged before they are read.
  function check(): void {
    const time = now()
    const hasStalled = time - checkedAt > STALLED_MS
    checkedAt = time
    if (!hasStalled) for (const pool of pools) checkPool(pool)
    if (time >= cutsAt) pools.forEach(cutPool)
    if (cutsAt < Infinity && pools.every((pool) => pool.connections.length === 0)) closed.resolve()
  }

  return {
    request: async (request) =>
      new Promise((answer) => {
        const deadline = now() + timeoutMs
        const pool = request.isQuarantined ? quarantine : main
        const leavesBefore = deadline - timeoutMs / 10
        const fresh = { wasRefused: false, cancel: undefined, isCancelled: false }
        enqueue(pool, { request, deadline, leavesBefore, ...fresh, answer })
      }),
    close: async () => {
      pools.forEach(closePool)
      cutsAt = Math.min(cutsAt, now() + CLOSES_WITHIN_MS)
      await closed.promise
      clearInterval(ticks)
    },
  }
}

async function lookUp(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, hints: ADDRCONFIG })
  return found.map(({ address }) => address)
}
