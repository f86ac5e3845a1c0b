import { setTimeout as sleep } from 'node:timers/promises'
import { sendToAll } from '../api.ts'
import type { Cluster } from '../cluster.ts'
import { readAudience } from '../people.ts'
import { startEnvironment, type PlainEnvironment } from '../environment.ts'
import { toFinding, runningOn, type Finding } from '../scenario.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/** PostgreSQL is restarted, crashes, and is down for a while, during campaigns. */
export const database = runningOn(startEnvironment, {
  name: 'database',
  about: 'PostgreSQL restarted, killed -9 and stopped at once, mid-campaign',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 2), 300)),
      PUSH_TIMEOUT_SECONDS: '5',
      PUSH_LEASE_SECONDS: '12',
    },
    provider: { latencyMs: 150 },
  }),
  run,
})

type Fault = { name: string; inject(world: World, environment: PlainEnvironment): Promise<void> }

const FAULTS: Fault[] = [
  { name: 'kill -9 of a session of a worker', inject: killSession },
  { name: 'restart', inject: (_, { cluster }) => restart(cluster, 'fast', 0) },
  { name: 'stop at once, away for 2 s', inject: (_, { cluster }) => restart(cluster, 'immediate', 2_000) },
]

async function run(world: World, environment: PlainEnvironment): Promise<Finding> {
  const { web, token, workers } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const messageIds: number[] = []
  const faults: string[] = []
  const notes: string[] = []
  for (const { name, inject } of world.random.some(FAULTS, world.plan.kills)) {
    messageIds.push(await startCampaign(world, web, token))
    await sleep(world.random.between(0, 500))
    await inject(world, environment)
    const from = performance.now()
    const acknowledged = await untilSent(web.url, token)
    notes.push(`after ${name}: the API took a campaign ${Math.round(performance.now() - from)} ms later`)
    messageIds.push(acknowledged)
    await drain(world, messageIds, 90_000)
    for (const process of [web, ...workers])
      if (!process.isRunning()) faults.push(`${process.name} did not survive "${name}"`)
  }
  // The process survives, so it keeps its tickets and nothing is sent twice.
  return toFinding(world, { messageIds, audience, duplicates: 'none' }, { faults, notes })
}

async function restart(cluster: Cluster, how: 'fast' | 'immediate', awayMs: number): Promise<void> {
  await cluster.stop(how)
  await sleep(awayMs)
  await cluster.start()
}

/** When a session is killed, PostgreSQL assumes corruption, ends all sessions and recovers. */
async function killSession({ pool }: World, { cluster }: PlainEnvironment): Promise<void> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name like 'worker%' limit 1`,
  )
  const pid = rows[0]?.pid
  if (pid === undefined) throw new Error('no worker has a session')
  process.kill(pid, 'SIGKILL')
  await until('PostgreSQL had recovered', 20_000, () => cluster.isUp())
}

async function untilSent(url: string, token: string): Promise<number> {
  const ids: number[] = []
  await until('the API took a campaign', 30_000, async () => {
    const id = await sendToAll(url, token).catch(() => undefined)
    if (id !== undefined) ids.push(id)
    return id !== undefined
  })
  return ids[0] ?? 0
}
