import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { startHttp2Double, type Http2Double, type Http2DoubleOptions } from '../../../simulator/src/http2/double.ts'
import type { Http2Answer, Http2Request } from '../../src/push/provider/http2/exchange.ts'
import {
  openHttp2Client,
  type Http2Client,
  type Http2ClientOptions,
} from '../../src/push/provider/http2/http2-client.ts'

/**
 * Its time passes ten times as fast: by a step for each turn of our event loop, in which client and double do their
 * work too. Between two looks of the client it is below a second, which it takes for a stall of the process.
 */
const STEP_MS = 50
const TURN_MS = 5
const TICK_MS = 10

/** A client and its double, over real TLS. */
export type Http2World = {
  double: Http2Double
  client: Http2Client
  /** The path of every request that was taken, in order. */
  log: string[]
  /** The client's clock. */
  now(): number
  advance(ms: number): void
  /** Lets the client's time pass until there is a result. */
  pass<T>(promise: Promise<T>): Promise<T>
  send(path: string, fields?: Partial<Http2Request>): Promise<Http2Answer>
  [Symbol.asyncDispose](): Promise<void>
}

export async function http2World(
  ofDouble: Partial<Http2DoubleOptions> = {},
  ofClient: Partial<Http2ClientOptions> = {},
): Promise<Http2World> {
  const log: string[] = []
  const double = await startHttp2Double({
    answer: ({ path, body }) => {
      log.push(path)
      return { status: 200, body: body.toString() }
    },
    ...ofDouble,
  })
  let aheadMs = 0
  const now = () => performance.now() + aheadMs
  const client = openHttp2Client({
    address: new URL(double.url),
    ca: AUTHORITY,
    connections: 2,
    timeoutMs: 10_000,
    tickMs: TICK_MS,
    clock: { now },
    ...ofClient,
  })
  return {
    double,
    client,
    log,
    now,
    advance: (ms) => void (aheadMs += ms),
    pass: async (promise) => {
      const turns = setInterval(() => (aheadMs += STEP_MS), TURN_MS)
      return promise.finally(() => clearInterval(turns))
    },
    send: async (path, fields = {}) => client.request({ path, headers: {}, body: '', ...fields }),
    [Symbol.asyncDispose]: async () => {
      await double.close()
      await client.close()
    },
  }
}
