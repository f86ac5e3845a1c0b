import { AUTHORITY } from '../../../simulator/src/http2/certificates.ts'
import { startHttp2Double, type Http2Double, type Http2DoubleOptions } from '../../../simulator/src/http2/double.ts'
import type { Http2Answer, Http2Request } from '../../src/push/provider/http2/exchange.ts'
import {
  openHttp2Client,
  type Http2Client,
  type Http2ClientOptions,
} from '../../src/push/provider/http2/http2-client.ts'

/** A client and its double, over real TLS. */
export type Http2World = {
  double: Http2Double
  client: Http2Client
  /** The path of every request that was taken, in order. */
  log: string[]
  /** Milliseconds by which the client's clock is ahead. */
  advance(ms: number): void
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
  const client = openHttp2Client({
    address: new URL(double.url),
    ca: AUTHORITY,
    connections: 2,
    timeoutMs: 60_000,
    clock: { now: () => performance.now() + aheadMs },
    ...ofClient,
  })
  return {
    double,
    client,
    log,
    advance: (ms) => void (aheadMs += ms),
    send: async (path, fields = {}) => client.request({ path, headers: {}, body: '', ...fields }),
    [Symbol.asyncDispose]: async () => {
      const closed = client.close()
      aheadMs += 20_000
      await closed
      await double.close()
    },
  }
}
