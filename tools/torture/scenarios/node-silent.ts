import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilItAnswers } from '../../../server/test/support/until.ts'
import { sendToAll } from '../api.ts'
import { startWhereDivided } from '../environments/divided.ts'
import { listHomesOf, openSessions, untilDecided, untilOthersHave } from '../lost-homes.ts'
import { untilSettled } from '../prepared.ts'
import { repeat } from '../repeat.ts'
import { runningOn } from '../scenario.ts'
import { stopWithout, untilLeftOut } from '../stops.ts'
import { runWithFault, type Service } from '../with-fault.ts'
import type { Plan, World } from '../world.ts'

// So many users that the campaign still runs when the server falls silent, and few enough that it ends in the silence.
const MORE_USERS = 4
// The coordinator gives a statement up after 30 s.
const ANSWERED_WITHIN_MS = 35_000
// Where a statement needs the server twice.
const TAKEN_WITHIN_MS = 2 * ANSWERED_WITHIN_MS
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
    runWithFault(world, { duplicates: 'none' }, async (service, campaign) => {
      const { url } = service.webs[0]!
      const lost = await listHomesOf(world, workers[0]!)
      await untilDecided(world)
      const people = await openSessions(world, lost)
      const asking: ReturnType<typeof askAgainAndAgain>[] = []
      try {
        await workers[0]!.freeze()
        const from = performance.now()
        asking.push(
          askAgainAndAgain(url, people.lost.token, { status: 503, withinMs: ANSWERED_WITHIN_MS }),
          askAgainAndAgain(url, people.other.token, { status: 200, withinMs: OTHERS_ANSWERED_WITHIN_MS }),
        )
        const left = await untilOthersHave(world, { messageId: campaign, lost }, 300_000)
        const meanwhile = await createAndStop(world, service, lost)
        await sleep(Math.max(0, world.plan.outageSeconds * 1_000 - (performance.now() - from)))
        const answers = await Promise.all(asking.map((one) => one.stop()))
        const silentMs = Math.round(performance.now() - from)
        workers[0]!.thaw()
        const settled = await untilSettled(world)
        const leftOut = await untilLeftOut(world, meanwhile.quiet.messageId, lost)
        const usualMs = Math.round((left.waiting / toRate(world.plan)) * 1_000)
        return {
          stops: [meanwhile.quiet],
          faults: [
            ...meanwhile.faults,
            ...leftOut.faults,
            ...answers.flatMap(({ faults }) => faults),
            ...settled.faults,
            ...(left.ms > usualMs + LATE_MS ? [`people of other homes waited ${left.ms} ms for their pushes`] : []),
          ],
          notes: [
            `silent for ${silentMs} ms with homes ${lost.join(', ')}`,
            `${left.waiting} pushes to people of other homes were all accepted ${left.ms} ms later, and the rate allows it in ${usualMs} ms`,
            ...meanwhile.notes,
            leftOut.note,
            ...answers.flatMap(({ notes }) => notes),
            `locks were held for ${settled.ms} ms`,
          ],
        }
      } finally {
        workers[0]!.thaw()
        await Promise.all(asking.map((one) => one.stop()))
      }
    }),
})

/** A campaign in the silence, stopped when all people of other homes have it. */
async function createAndStop(world: World, { webs, token }: Service, lost: number[]) {
  const { url } = webs[0]!
  const from = performance.now()
  const headers = { 'idempotency-key': randomUUID() }
  const messageId = await untilTaken(() => sendToAll(url, token, headers))
  const createdMs = Math.round(performance.now() - from)
  const pushed = await untilOthersHave(world, { messageId, lost })
  const asked = performance.now()
  const stop = await untilTaken(() => stopWithout(lost, { url, token }, messageId))
  const stoppedMs = Math.round(performance.now() - asked)
  return {
    ...stop,
    notes: [
      `a campaign was created in ${createdMs} ms, and its ${pushed.pushes} pushes were all accepted ${pushed.ms} ms later`,
      `it was stopped in ${stoppedMs} ms`,
    ],
  }
}

/** The first calls may be refused, until the process knows that the server is silent. */
async function untilTaken<T>(ask: () => Promise<T>): Promise<T> {
  const found: T[] = []
  const from = performance.now()
  await untilItAnswers(
    async () => found.push(await ask()),
    () => performance.now() - from > TAKEN_WITHIN_MS,
  )
  return found[0]!
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
