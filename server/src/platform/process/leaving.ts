import { once } from 'node:events'
import { Server as NetServer, type Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Connections } from '../server/connections.ts'

// A longer answer, such as an export, is cut.
const ANSWER_MS = 15_000
const SHORT_MS = 1
const PAUSE_MS = 20
const PAUSE_WITHIN_MS = 1_000

export type Times = Pick<Config, 'LAME_DUCK_SECONDS' | 'PROXY_KEEP_ALIVE_SECONDS'>

/** A process that leaves may still get requests for this long. */
export function leavingMs(times: Times): number {
  return times.LAME_DUCK_SECONDS * 1_000 + idleMs(times)
}

/**
 * Closes the API so that no request behind a proxy is lost; the process is unready already. First it accepts
 * connections as before, until the proxies have seen that. Then only the listener closes. A connection ends after its
 * next answer, or once no proxy would send anything over it any more.
 */
export async function leave(app: FastifyInstance, { endIdle }: Connections, times: Times): Promise<void> {
  await sleep(times.LAME_DUCK_SECONDS * 1_000)
  const closed = once(app.server, 'close')
  await nobodyWaits(app.server)
  // Node's own close of HTTP also cuts connections whose request has not been read yet.
  NetServer.prototype.close.call(app.server)
  await Promise.race([closed, sleep(idleMs(times))])
  endIdle()
  await Promise.race([closed, sleep(ANSWER_MS)])
  await app.close()
  await closed
}

/**
 * Ends right after a short turn of the event loop in which no connection arrived, in a pause between connections where
 * there is one. A turn accepts one connection, and those that still wait to be accepted are reset with the listener.
 */
async function nobodyWaits(server: Server): Promise<void> {
  const from = performance.now()
  let last = from
  let accepted = 0
  const count = () => accepted++
  server.on('connection', count)
  for (let turn = from, now = from; now - from < 2 * PAUSE_WITHIN_MS; turn = now) {
    accepted = 0
    await nextTurn()
    now = performance.now()
    if (accepted > 0) last = now
    else if (now - turn < SHORT_MS && (now - last > PAUSE_MS || now - from > PAUSE_WITHIN_MS)) break
  }
  server.off('connection', count)
}

/** A second longer than a proxy keeps an idle connection. */
function idleMs({ PROXY_KEEP_ALIVE_SECONDS: seconds }: Times): number {
  return seconds === 0 ? 0 : (seconds + 1) * 1_000
}
