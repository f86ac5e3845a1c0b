import autocannon from 'autocannon'
import { fileURLToPath } from 'node:url'
import { configWith } from '../src/config.ts'
import { queryBuilder } from '../src/db/connect.ts'
import { createSessions } from '../src/features/auth/sessions.ts'
import { ADMIN } from './client.ts'
import { openLoop } from './open-loop.ts'
import { BENCH_JWT_SECRET, type Bench } from './setup.ts'

const CALLERS = 1_000
const SECONDS = 8

export type RequestFigures = {
  inbox: number
  bareInbox: number
  inboxP99At1000: number
  saveToken: number
}

/** Requests a second that one API process answers, against a bare handler that runs the same query and nothing else. */
export async function measureRequests(bench: Bench): Promise<RequestFigures> {
  const web = await bench.service({ ...ADMIN, PROCESS: 'web', EXPO_BASE_URL: 'http://127.0.0.1:9' })
  const bare = await bench.script(fileURLToPath(new URL('bare-server.ts', import.meta.url)), {
    CALLERS: String(CALLERS),
  })
  try {
    const callers = await openSessions(bench)
    const inbox = (origin: string) => ({
      url: origin,
      requests: callers.map(({ token }) => ({
        path: '/api/notification',
        headers: { authorization: `Bearer ${token}` },
      })),
    })
    const ours = await load({ ...inbox(web.url), connections: 32 })
    const theirs = await load({ ...inbox(bare.url), connections: 32 })
    const paced = await openLoop(web.url, inbox(web.url).requests, { perSecond: 1_000, seconds: SECONDS })
    const saves = await load({
      url: web.url,
      connections: 32,
      requests: callers.map(({ token, userId }) => ({
        method: 'POST' as const,
        path: '/api/user/save-phone-token',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          token: `ExponentPushToken[bench-${userId}]`,
          device_id: `bench-${userId}`,
          platform: 'ios',
        }),
      })),
    })
    return { inbox: ours.perSecond, bareInbox: theirs.perSecond, inboxP99At1000: paced.p99, saveToken: saves.perSecond }
  } finally {
    await web.stop()
    await bare.stop()
  }
}

async function load(options: autocannon.Options): Promise<{ perSecond: number }> {
  const result = await autocannon({ ...options, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} failed.`)
  return { perSecond: Math.round(result.requests.average) }
}

/** Sessions of the first users: signing in a thousand times would measure password hashing. */
async function openSessions(bench: Bench): Promise<{ userId: number; token: string }[]> {
  const db = queryBuilder(bench.pool)
  const config = configWith({ JWT_SECRET: BENCH_JWT_SECRET })
  const sessions = createSessions({ db, pool: bench.pool, clock: { now: () => Date.now() }, config })
  const { rows } = await bench.pool.query<{ user_id: string }>(
    `select user_id from users where role = 'user' order by user_id limit $1`,
    [CALLERS],
  )
  const callers = []
  for (const row of rows) {
    const userId = Number(row.user_id)
    callers.push({ userId, token: (await sessions.open({ userId, role: 'user' })).token })
  }
  return callers
}
