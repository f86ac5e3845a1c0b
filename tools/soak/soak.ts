import { check } from '../torture/checker.ts'
import type { Environment } from '../torture/environment.ts'
import { until } from '../../server/test/support/until.ts'
import { inWorld, startService, type World } from '../torture/world.ts'
import { repeat } from '../torture/repeat.ts'
import { loadFor, preparePeople, type Callers } from './load.ts'
import { describeSample, judge, SAMPLES_LEAST, takeSample, type Sample } from './samples.ts'

/** `shorten`: an hour of the service is so many times shorter. */
export type SoakWish = { minutes: number; shorten: number; users: number; seed: number }
type Say = (line: string) => void

const HOUR_MS = 3_600_000
const QUIET_WITHIN_MS = 120_000
// The simulator keeps 150 bytes of each.
const PUSHES_MOST = 3_000_000
const PURGE_EVERY = 2

/**
 * Mixed load in rounds of a shortened hour. At the end of each nothing is left to do, its copies are compared with the
 * provider's log, and those of the round before are let go. Gives a sentence for each promise that was broken.
 */
export async function soak(environment: Environment, wish: SoakWish, say: Say): Promise<string[]> {
  const plan = { seed: wish.seed, users: wish.users, kills: 0, outageSeconds: 0, waitsMs: 0 }
  const named = { name: 'soak', plan, worldOptions: { settings: settingsFor(wish) } }
  const { result, stopFaults } = await inWorld(environment, named, (world) =>
    runRounds(world, wish, say).catch((error: unknown) => [error instanceof Error ? error.message : String(error)]),
  )
  return [...result, ...stopFaults]
}

function settingsFor({ shorten }: SoakWish): Record<string, string> {
  return {
    PUSH_TIMEOUT_SECONDS: '10',
    PUSH_LEASE_SECONDS: '60',
    PUSH_RETRY_DELAY_SECONDS: String(60 / shorten),
    RECEIPT_DELAY_SECONDS: String(900 / shorten),
    RETENTION_MESSAGE_DAYS: '1',
  }
}

async function runRounds(world: World, wish: SoakWish, say: Say): Promise<string[]> {
  const { web, token, workers } = await startService(world, 1)
  const callers = { url: web.url, token, people: await preparePeople(world, web.url) }
  const often = { match: 'send', times: 0, seed: wish.seed } as const
  world.provider.script([
    { ...often, probability: 0.01, status: 504, accept: true },
    { ...often, probability: 0.02, status: 503 },
  ])
  const ending = new AbortController()
  const minute = HOUR_MS / wish.shorten / 60
  const chores = Promise.all([
    repeat(minute, ending.signal, () => runChores(world)),
    repeat(10 * minute, ending.signal, () => world.time.run('retention', {})),
  ])
  const endsAt = performance.now() + wish.minutes * 60_000
  const samples: Sample[] = []
  const faults: string[] = []
  try {
    for (let round = 1, accepted = 0; performance.now() < endsAt && accepted < PUSHES_MOST; round++) {
      const isPurging = round % PURGE_EVERY === 0
      const found = await runRound(world, { ...callers, isPurging }, { ms: HOUR_MS / wish.shorten, accepted })
      accepted += found.accepted
      faults.push(...found.faults)
      const sample = await takeSample(world.pool, [web, ...workers])
      samples.push(sample)
      say(`round ${round}: ${found.text}; ${describeSample(sample)}`)
    }
  } finally {
    ending.abort()
    await chores
  }
  if (samples.length < SAMPLES_LEAST)
    say(`What grows is not judged: of ${SAMPLES_LEAST} rounds there were ${samples.length}.`)
  return [...new Set([...faults, ...judge(samples)])]
}

async function runRound(
  world: World,
  callers: Callers & { isPurging: boolean },
  { ms, accepted }: { ms: number; accepted: number },
) {
  const { pool, provider } = world
  // Times of the service have milliseconds.
  const { rows } = await pool.query<{ now: string }>(`select date_trunc('milliseconds', now())::text as now`)
  const from = rows[0]?.now ?? ''
  const purged = await loadFor(ms, world, callers)
  await untilQuiet(world)
  const pushes = provider.accepted(accepted)
  const { rows: messages } = await pool.query<{ id: number }>(
    'select message_id::int as id from messages where created_at >= $1',
    [from],
  )
  const own = { pool, provider: { ...provider, accepted: () => pushes.filter(({ token }) => !purged.has(token)) } }
  const rules = { messageIds: messages.map(({ id }) => id), duplicates: 'bounded' } as const
  const { figures, faults } = await check(own, rules)
  await letGo(world, from)
  const { duplicated, possibleDuplicates } = figures
  return {
    accepted: pushes.length,
    // A purge takes people out of the rows, and not out of the counters.
    faults: faults.filter((fault) => !callers.isPurging || !/^the counter|^selected/.test(fault)),
    text: `${messages.length} messages, ${pushes.length} pushes, ${duplicated} of ${possibleDuplicates} doubled`,
  }
}

/** What the service does each minute. */
async function runChores({ time }: World): Promise<void> {
  await time.run('fetch-receipts', { limit: 200_000, dueOnly: true })
  await time.run('account-chores', {})
}

const LEFT = {
  messages: "messages where status not in ('completed', 'stopped')",
  work: 'work',
  requests: 'requests where outcome is null or next_receipt_at is not null',
  purges: 'users where purge_after <= now()',
  lettings_go: 'lettings_go where deleted_at is null',
  // A message stays as long as a batch or an entry of it does (`listDeletable`).
  old_messages: `messages where audience = 'users' and created_at < (
    select max(made_before) from lettings_go where deleted_at < now() - interval '1 day')
    and not exists (select from batches b where b.message_id = messages.message_id)
    and not exists (select from entries e where e.message_id = messages.message_id)`,
}

/** Nothing waits, is in flight, has no receipt, or is old. Lines of a chat that wait for their minute are due now. */
async function untilQuiet({ pool }: World): Promise<void> {
  const counts = Object.entries(LEFT).map(([name, rows]) => `(select count(*)::int from ${rows}) as ${name}`)
  let left: Record<string, number> = {}
  const isQuiet = async () => {
    await pool.query('update work set due_at = now() where due_at > now()')
    await pool.query('update messages set sleeps_until = now() where sleeps_until > now()')
    const { rows } = await pool.query<Record<string, number>>(`select ${counts.join(', ')}`)
    left = rows[0] ?? {}
    return Object.values(left).every((count) => count === 0)
  }
  await until('all was sent', QUIET_WITHIN_MS, isQuiet).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}. Left are ${JSON.stringify(left)}.`)
  })
}

/** Removes the copies made before a round, and messages without copies, as retention does after months. */
async function letGo({ pool }: World, before: string): Promise<void> {
  await pool.query(`update lettings_go set deleted_at = deleted_at - interval '1 year' where deleted_at is not null`)
  await pool.query('insert into lettings_go (made_before, let_go_at) values ($1, now())', [before])
}
