import { once } from 'node:events'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Connections } from './connections.ts'

// After it an answer that takes longer, such as an export, is cut.
const ANSWER_MS = 15_000
const SHORT_MS = 0.5
const TURNS_MOST = 10_000

export type Times = Pick<Config, 'LAME_DUCK_SECONDS' | 'PROXY_KEEP_ALIVE_SECONDS'>

/** How long a process that leaves may still get requests. */
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
  await shortTurn()
  // Node's own close of HTTP also cuts connections whose request has not been read yet.
  NetServer.prototype.close.call(app.server)
  await Promise.race([closed, sleep(idleMs(times))])
  endIdle()
  await Promise.race([closed, sleep(ANSWER_MS)])
  await app.close()
  await closed
}

/**
 * Ends right after a turn of the event loop that took no time. Connections that arrive between the look of a turn for
 * new ones and the end of the listener are reset.
 */
async function shortTurn(): Promise<void> {
  for (let turn = 0, ms = Infinity; ms > SHORT_MS && turn < TURNS_MOST; turn++) {
    const from = performance.now()
    await nextTurn()
    ms = performance.now() - from
  }
}

/** A second longer than a proxy keeps an idle connection. */
function idleMs({ PROXY_KEEP_ALIVE_SECONDS: seconds }: Times): number {
  return seconds === 0 ? 0 : (seconds + 1) * 1_000
}
