import { setTimeout as sleep } from 'node:timers/promises'
import { openLink, type Link } from '../../../server/test/support/link.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

const LEASE_MS = 3_000

/** The link between one of two workers and PostgreSQL is slow, stalls, is cut, and stalls for longer than a lease. */
export const link: Scenario = {
  name: 'link',
  about: 'the link of a worker to PostgreSQL is slow, stalls past a lease, is cut while it stalls',
  worldOptions: ({ users }) => ({
    users: Math.max(users, 800),
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 300)),
      PUSH_TIMEOUT_SECONDS: '2',
      PUSH_LEASE_SECONDS: String(LEASE_MS / 1_000),
    },
    // Long enough that the fault happens during requests.
    provider: { latencyMs: 600 },
  }),
  run,
}

type Trouble = { name: string; make(link: Link): Promise<void> }

const TROUBLES: Trouble[] = [
  {
    name: 'each piece 150 ms late',
    make: async (line) => {
      line.slow(150)
      await sleep(2_500)
      line.flow()
    },
  },
  {
    name: 'silent for less than a lease, then all that was held arrives',
    make: async (line) => {
      line.stall()
      await sleep(LEASE_MS / 2)
      line.flow()
    },
  },
  {
    name: 'silent, then cut: nobody knows what was committed',
    make: async (line) => {
      line.stall()
      await sleep(LEASE_MS / 2)
      line.cut()
      line.flow()
    },
  },
  {
    name: 'silent past a lease, then all that was held arrives',
    make: async (line) => {
      line.stall()
      await sleep(LEASE_MS * 2)
      line.flow()
    },
  },
]

async function run(world: World): Promise<Finding> {
  const url = new URL(world.pool.options.connectionString ?? '')
  const line = await openLink(Number(url.port))
  try {
    return await runOn(world, line, throughLink(url, line))
  } finally {
    line.flow()
    await line.close()
  }
}

async function runOn(world: World, line: Link, databaseUrl: string): Promise<Finding> {
  const { web, token } = await startService(world, 1)
  const audience = await readAudience(world.pool)
  const linked = await world.startWorker({ DATABASE_URL: databaseUrl })
  const messageIds: number[] = []
  const faults: string[] = []
  const notes: string[] = []
  const rounds = Math.max(1, Math.round(world.plan.kills / 20))
  for (const { name, make } of Array.from({ length: rounds }, () => TROUBLES).flat()) {
    const before = await givenUp(world)
    messageIds.push(await startCampaign(world, web, token))
    await sleep(world.random.between(0, 300))
    await make(line)
    await drain(world, messageIds)
    notes.push(`${name}: ${(await givenUp(world)) - before} pushes sent again`)
    if (!linked.isRunning()) faults.push(`the worker did not survive a link that was ${name}`)
  }
  // The worker ends before its link is closed: without it, it could not give anything back.
  const end = await linked.terminate()
  if (end.code !== 0) faults.push(`the worker ended with ${end.code} after ${end.ms} ms`)
  return toFinding(world, { messageIds, audience, duplicates: 'bounded' }, { faults, notes })
}

function throughLink(database: URL, line: Link): string {
  const url = new URL(database)
  url.port = String(line.port)
  url.searchParams.set('application_name', 'worker-linked')
  return url.href
}

/** Pushes that another worker sent again because their lease had expired. */
async function givenUp({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select sum(possible_duplicates)::int as n from notifications')
  return rows[0]?.n ?? 0
}
