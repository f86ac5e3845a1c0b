import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, MESSAGE, type Answer } from './api.ts'
import { eligibleUsers } from './people.ts'
import { repeat } from './repeat.ts'
import type { World } from './world.ts'

/** Pushes to single users, one after another. Each is repeated with one key until the API accepts it. */
export type Arrivals = {
  /** Starts no more, and waits until the last one is accepted. */
  stop(): Promise<{ messageIds: number[]; faults: string[]; notes: string[] }>
}

const EVERY_MS = 150
const AGAIN_AFTER_MS = 250
const GIVE_UP_AFTER_MS = 70_000
const NO_ANSWER = 'no answer'
// Allowed while the database or a process is down; 409 while an earlier call with the key may still run. Any other
// status is a fault of the service.
const FORGIVEN = new Set(['202', '503', '409', NO_ANSWER])
// No call runs this long; a key in use for longer locks its client out.
const KEY_IN_USE_MS = 10_000

/** Starts to send, to each API of `urls()` in turn. */
export async function startArrivals(world: World, token: string, urls: () => string[]): Promise<Arrivals> {
  const users = await eligibleUsers(world.pool)
  const ending = new AbortController()
  const seen = new Map<string, number>()
  const messageIds: number[] = []
  const waits: number[] = []
  const keysInUse: number[] = []
  const refused: string[] = []
  let turn = 0
  let stoppedAt = Infinity
  const giveUpAt = () => stoppedAt + GIVE_UP_AFTER_MS
  const ask = async (key: string, userId: number): Promise<Answer | undefined> => {
    const [url = ''] = urls().slice(turn++ % urls().length)
    const body = { ...MESSAGE, user_ids: [userId], promotional: false }
    const options = { token, body, headers: { 'idempotency-key': key } }
    const from = performance.now()
    const answer = await call(url, 'POST', '/api/admin/send-notification', options).catch(() => undefined)
    waits.push(performance.now() - from)
    const status = answer === undefined ? NO_ANSWER : String(answer.status)
    seen.set(status, (seen.get(status) ?? 0) + 1)
    return answer
  }
  const sendOne = async () => {
    const key = randomUUID()
    const userId = world.random.pick(users as [number, ...number[]])
    let inUseFrom: number | undefined
    for (;;) {
      const answer = await ask(key, userId)
      if (answer?.status === 409) inUseFrom ??= performance.now()
      if (answer?.status === 202) {
        messageIds.push(Number(answer.data['notification_id']))
        if (inUseFrom !== undefined) keysInUse.push(performance.now() - inUseFrom)
        return
      }
      if (performance.now() > giveUpAt()) {
        refused.push(key)
        return
      }
      // The same call with the same key will return the result later.
      await sleep(AGAIN_AFTER_MS)
    }
  }
  const looping = repeat(EVERY_MS, ending.signal, sendOne)
  return {
    stop: async () => {
      ending.abort()
      stoppedAt = performance.now()
      await looping
      const inUseMs = Math.round(Math.max(0, ...keysInUse))
      const strange = [...seen].filter(([status]) => !FORGIVEN.has(status))
      const answers = [...seen].map(([status, count]) => `${status} ${count}`).join(', ')
      return {
        messageIds,
        faults: [
          ...(refused.length > 0 ? [`the API did not take a send within ${GIVE_UP_AFTER_MS} ms after the fault`] : []),
          ...strange.map(([status, count]) => `${count} sends were answered ${status}`),
          ...(inUseMs > KEY_IN_USE_MS ? [`the key of a call that had failed was refused for ${inUseMs} ms`] : []),
        ],
        notes: [
          `${messageIds.length} single pushes; answers: ${answers}; the longest took ${Math.round(Math.max(...waits))} ms`,
        ],
      }
    },
  }
}
