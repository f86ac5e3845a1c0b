import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { toRandom } from '../../server/test/support/random.ts'

// Loaded before a process of the service: some of its transactions wait before they begin, and others after they have
// committed. What is judged in one transaction and done in the next then has time to become untrue.
const ONE_IN = 7
const most = Number(process.env['WAITS_MS'] ?? '0')
const random = toRandom(Number(process.env['WAITS_SEED'] ?? '0'), `waits of ${process.env['WAITS_OF'] ?? ''}`)

type Query = (...given: unknown[]) => unknown

const client = Client.prototype as unknown as { query: Query }
const { query } = client

client.query = function waiting(this: unknown, ...given: unknown[]): unknown {
  const text = toText(given[0])
  const begins = /^\s*(?:begin|start transaction)\b/i.test(text)
  if ((!begins && !/^\s*commit\b/i.test(text)) || random.between(1, ONE_IN) > 1) return query.apply(this, given)
  const ms = random.between(0, most)
  if (begins) return sleep(ms).then(() => query.apply(this, given))
  const answer = query.apply(this, given)
  // Nobody waits for a promise where a callback is given.
  return answer instanceof Promise ? delayed(answer, ms) : answer
}

async function delayed<T>(answer: Promise<T>, ms: number): Promise<T> {
  try {
    return await answer
  } finally {
    await sleep(ms)
  }
}

function toText(asked: unknown): string {
  if (typeof asked === 'string') return asked
  const { text } = (asked ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}
