import { setTimeout as sleep } from 'node:timers/promises'
import { createSessions } from '../../../server/src/identity/sessions/sessions.ts'
import { configWith } from '../../../server/src/platform/config/config.ts'
import { queryBuilder, withPool } from '../../../server/src/platform/db/connect.ts'
import { createLog } from '../../../server/src/platform/shared/log.ts'
import { startWhereDivided } from '../environments/divided.ts'
import { listHomesOf, untilDecided, untilOthersHave } from '../lost-homes.ts'
import { untilSettled } from '../prepared.ts'
import { repeat } from '../repeat.ts'
import { runningOn } from '../scenario.ts'
import { runWithFault } from '../with-fault.ts'
import { JWT_SECRET, type Plan, type World } from '../world.ts'

// So many users that the campaign still runs when the server falls silent, and few enough that it ends in the silence.
const MORE_USERS = 4
// The coordinator gives a statement up after 30 s.
const ANSWERED_WITHIN_MS = 35_000
const OTHERS_ANSWERED_WITHIN_MS = 5_000
const ASK_EVERY_MS = 500
// A lane that was asking the server when it fell silent waits for 12 s once.
const LATE_MS = 20_000

const toRate = ({ users, outageSeconds }: Plan) =>
  Math.max(Math.ceil((users * MORE_USERS) / Math.max(outageSeconds / 2, 6)), 50)

export const nodeSilent = runningOn(startWhereDivided, {
  name: 'node-silent',
  about: 'all processes of a worker of a Citus are stopped (--outage seconds), so it neither answers nor refuses',
  worldOptions: (plan) => ({
    users: plan.users * MORE_USERS,
    settings: {
      PUSH_RATE_PER_SECOND: String(toRate(plan)),
      PUSH_TIMEOUT_SECONDS: '5',
      PUSH_LEASE_SECONDS: '20',
    },
    provider: { latencyMs: 150 },
  }),
  run: (world, { workers }) =>
    runWithFault(world, { duplicates: 'none' }, async ({ webs }) => {
      const lost = await listHomesOf(world, workers[0]!)
      await untilDecided(world)
      const people = await openSessions(world, lost)
      try {
        await workers[0]!.freeze()
        const from = performance.now()
        const asking = [
          askAgainAndAgain(webs[0]!.url, people.lost, { status: 503, withinMs: ANSWERED_WITHIN_MS }),
          askAgainAndAgain(webs[0]!.url, people.other, { status: 200, withinMs: OTHERS_ANSWERED_WITHIN_MS }),
        ]
        const left = await untilOthersHave(world, lost, 300_000)
        await sleep(Math.max(0, world.plan.outageSeconds * 1_000 - (performance.now() - from)))
        const answers = await Promise.all(asking.map((one) => one.stop()))
        const silentMs = Math.round(performance.now() - from)
        workers[0]!.thaw()
        const settled = await untilSettled(world)
        const usualMs = Math.round((left.waiting / toRate(world.plan)) * 1_000)
        return {
          faults: [
            ...answers.flatMap(({ faults }) => faults),
            ...settled.faults,
            ...(left.ms > usualMs + LATE_MS ? [`people of other homes waited ${left.ms} ms for their pushes`] : []),
          ],
          notes: [
            `silent for ${silentMs} ms with homes ${lost.join(', ')}`,
            `${left.waiting} pushes to people of other homes were all accepted ${left.ms} ms later, and the rate allows it in ${usualMs} ms`,
            ...answers.flatMap(({ notes }) => notes),
            `locks were held for ${settled.ms} ms`,
          ],
        }
      } finally {
        workers[0]!.thaw()
      }
    }),
})

/** Tokens of one person of each kind. */
async function openSessions(
  { pool: ours, databaseUrl }: World,
  lost: number[],
): Promise<{ lost: string; other: string }> {
  const { rows } = await ours.query<{ userId: number; isLost: boolean }>(
    `select distinct on (2) user_id::int as "userId",
       (user_id >> 9)::int % (select homes from division)::int = any($1) as "isLost"
     from users where deleted_at is null and status = 'active' order by 2, 1`,
    [lost],
  )
  const log = createLog('silent')
  return withPool(databaseUrl, { max: 1, log }, async (pool) => {
    const clock = { now: () => Date.now() }
    const sessions = createSessions({ db: queryBuilder(pool), pool, clock, config: configWith({ JWT_SECRET }), log })
    const open = async (isLost: boolean) =>
      (await sessions.open({ userId: rows.find((row) => row.isLost === isLost)!.userId })).token
    return { lost: await open(true), other: await open(false) }
  })
}

/** The inbox and the badge, in turn. `stop` waits for the last answer. */
function askAgainAndAgain(url: string, token: string, { status, withinMs }: { status: number; withinMs: number }) {
  const ending = new AbortController()
  const faults: string[] = []
  const times: number[] = []
  const ask = async () => {
    for (const path of ['/api/v1/inbox', '/api/v1/badge']) {
      const from = performance.now()
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
      const text = await answer.text()
      times.push(Math.round(performance.now() - from))
      const isAsSaid =
        answer.status === status &&
        (status !== 503 || (text.includes('"SERVICE_UNAVAILABLE"') && answer.headers.has('retry-after')))
      if (!isAsSaid) faults.push(`${path} answered ${answer.status} and not ${status}: ${text.slice(0, 200)}`)
      if (times.at(-1)! > withinMs) faults.push(`${path} took ${times.at(-1)} ms to answer ${answer.status}`)
    }
  }
  const looping = repeat(ASK_EVERY_MS, ending.signal, ask)
  return {
    stop: async () => {
      ending.abort()
      await looping
      const sorted = times.toSorted((a, b) => a - b)
      return {
        faults: [...new Set(faults)].slice(0, 5),
        notes: [
          `${times.length} calls answered ${status}, the median in ${sorted[sorted.length >> 1]} ms, the longest in ${sorted.at(-1)} ms`,
        ],
      }
    },
  }
}
