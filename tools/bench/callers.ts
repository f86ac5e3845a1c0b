import autocannon from 'autocannon'
import { configWith } from '../../server/src/platform/config/config.ts'
import { queryBuilder } from '../../server/src/platform/db/connect.ts'
import { createSessions } from '../../server/src/identity/sessions/sessions.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { BENCH_JWT_SECRET, type Bench } from './setup.ts'

export const CALLERS = 1_000

export type Caller = { userId: number; headers: { authorization: string } }

/** Sessions of the first users: signing in a thousand times would measure password hashing. */
export async function openSessions({ pool }: Pick<Bench, 'pool'>, count = CALLERS): Promise<Caller[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    `select user_id from users where role = 'user' order by user_id limit $1`,
    [count],
  )
  const userIds = rows.map(({ user_id }) => Number(user_id))
  return openSessionsOf({ pool }, userIds)
}

export async function openSessionsOf({ pool }: Pick<Bench, 'pool'>, userIds: readonly number[]): Promise<Caller[]> {
  const db = queryBuilder(pool)
  const config = configWith({ JWT_SECRET: BENCH_JWT_SECRET })
  const log = createLog('silent')
  const sessions = createSessions({ db, pool, clock: { now: () => Date.now() }, config, log })
  const callers = []
  for (const userId of userIds) {
    const { token } = await sessions.open({ userId })
    callers.push({ userId, headers: { authorization: `Bearer ${token}` } })
  }
  return callers
}

/** A call of the same address by each caller. */
export function toCalls(callers: Caller[], path: string) {
  return callers.map(({ headers }) => ({ path, headers }))
}

const CONNECTIONS = 32

/** Requests a second over 32 connections that each wait for their answer; throws when an answer is no success. */
export async function load(
  url: string,
  requests: autocannon.Request[],
  seconds: number,
): Promise<{ perSecond: number; answered: number }> {
  let opened = 0
  // Each connection begins with another caller: all in step would be one person with 32 phones.
  const setupClient = (client: autocannon.Client) => {
    const from = Math.floor((requests.length * opened++) / CONNECTIONS)
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
  }
  const result = await autocannon({ url, requests, connections: CONNECTIONS, duration: seconds, setupClient })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} failed.`)
  return { perSecond: Math.round(result.requests.average), answered: result['2xx'] }
}
