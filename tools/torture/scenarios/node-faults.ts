import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { call } from '../api.ts'
import type { Cluster } from '../cluster.ts'
import { startWhereDivided, startWhereFull, type DividedEnvironment } from '../environments/divided.ts'
import { listHomesOf, untilDecided, untilOthersHave } from '../lost-homes.ts'
import { untilSettled } from '../prepared.ts'
import { runningOn } from '../scenario.ts'
import { runWithFault, type Service } from '../with-fault.ts'
import { isBusy, startCampaign, type World } from '../world.ts'

// The processes survive, so that nothing is sent twice.
const worldOptions = ({ users }: { users: number }) => ({
  settings: {
    PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 6), 50)),
    PUSH_TIMEOUT_SECONDS: '5',
    PUSH_LEASE_SECONDS: '20',
  },
  provider: { latencyMs: 150 },
})

export const nodeKill = runningOn(startWhereDivided, {
  name: 'node-kill',
  about: 'a worker of a Citus killed at random moments of campaigns and single pushes',
  worldOptions,
  run: (world, { workers }) =>
    runWithFault(world, { duplicates: 'none' }, async (service) => {
      const faults: string[] = []
      const waits: number[] = []
      const campaigns: number[] = []
      for (let kills = 0; kills < world.plan.kills; kills++) {
        if (!(await isBusy(world))) campaigns.push(await startCampaign(world, service.webs[0]!, service.token))
        await sleep(world.random.between(20, 700))
        const victim = world.random.pick(workers as [Cluster, ...Cluster[]])
        await victim.stop('immediate')
        await sleep(world.random.between(0, 1_000))
        await victim.start()
        const settled = await untilSettled(world)
        faults.push(...settled.faults)
        waits.push(settled.ms)
      }
      return {
        campaigns,
        faults,
        notes: [`${waits.length} kills; locks were held for ${Math.max(...waits)} ms at most`],
      }
    }),
})

export const nodeAway = runningOn(startWhereDivided, {
  name: 'node-away',
  about:
    'a worker of a Citus is away (--outage seconds): its homes wait, people of others get their pushes and answers',
  worldOptions,
  run: (world, { workers }) =>
    runWithFault(world, { duplicates: 'none' }, async (service) => {
      const lost = await listHomesOf(world, workers[0]!)
      await untilDecided(world)
      await workers[0]!.stop('immediate')
      const left = await untilOthersHave(world, lost)
      const faults = await findWrongAnswers(world, service, lost)
      await sleep(Math.max(0, world.plan.outageSeconds * 1_000 - left.ms))
      await workers[0]!.start()
      const settled = await untilSettled(world)
      return {
        faults: [...faults, ...settled.faults],
        notes: [
          `away for ${world.plan.outageSeconds} s with homes ${lost.join(', ')}`,
          `${left.pushes} pushes to people of other homes were all accepted ${left.ms} ms later`,
        ],
      }
    }),
})

export const nodeDisk = runningOn(startWhereFull, {
  name: 'node-disk',
  about: 'the disk of a worker of a Citus is full for 5 s, then free again',
  worldOptions,
  run: (world, { workers, fill }) =>
    runWithFault(world, { duplicates: 'none' }, async () => {
      const [worker] = workers
      const ballast = await fill()
      await sleep(5_000)
      const wasUp = await worker!.isUp()
      await ballast.free()
      if (!(await worker!.isUp())) await worker!.revive()
      const { faults } = await untilSettled(world)
      return { faults, notes: [`the worker ${wasUp ? 'stayed up' : 'was down'} while its disk was full`] }
    }),
})

export const homesMove = runningOn(startWhereDivided, {
  name: 'homes-move',
  about: 'a home of a Citus is moved, a worker is added and the homes evened out, mid-campaign',
  worldOptions,
  run: (world, servers) =>
    runWithFault(world, { duplicates: 'none' }, async () => {
      const from = await countHomes(world)
      await moveHome(world, servers)
      const database = new URL(world.databaseUrl).pathname.slice(1)
      const spare = await servers.startSpare(database)
      await ask(spare.url(database), 'create extension citus')
      await world.pool.query(`select citus_add_node('127.0.0.1', $1)`, [spare.port])
      await world.pool.query('select citus_rebalance_start()')
      await world.pool.query('select citus_rebalance_wait()')
      world.workerUrls.push(spare.url(database))
      return { notes: [`homes by worker: ${from}, then ${await countHomes(world)}`] }
    }),
})

async function moveHome({ pool }: World, { workers: [one, other] }: DividedEnvironment): Promise<void> {
  await pool.query(
    `select citus_move_shard_placement(shardid, '127.0.0.1', $1, '127.0.0.1', $2)
     from pg_dist_placement join pg_dist_node using (groupid) join pg_dist_shard using (shardid)
     where nodeport = $1 and logicalrelid = 'batches'::regclass limit 1`,
    [one!.port, other!.port],
  )
}

async function countHomes({ pool }: World): Promise<string> {
  const { rows } = await pool.query<{ homes: number }>(
    `select count(*)::int as homes from generate_series(0, (select homes from division) - 1) home
     join pg_dist_placement on shardid = get_shard_id_for_distribution_column('batches', home)
     group by groupid order by groupid`,
  )
  return rows.map(({ homes }) => homes).join(' and ')
}

/** A sentence for each answer that is not as docs/divided.md says. */
async function findWrongAnswers({ pool }: World, { webs, token }: Service, lost: number[]): Promise<string[]> {
  const url = webs[0]!.url
  const { rows } = await pool.query<{ id: number }>('select message_id::int as id from messages order by 1 limit 1')
  const asked = [
    `/api/admin/promotional-notifications/${rows[0]!.id}`,
    `/api/admin/notifications/${rows[0]!.id}/people`,
    '/api/admin/promotional-notifications',
  ]
  const faults: string[] = []
  for (const path of asked) {
    const answer = await call(url, 'GET', path, { token })
    if (answer.status !== 503 || !answer.text.includes(`(${lost.join(', ')})`))
      faults.push(`${path} answers ${answer.status}: ${answer.text.slice(0, 200)}`)
  }
  const { status } = await call(url, 'GET', '/api/admin/v1/users', { token })
  return status === 200 ? faults : [...faults, `the list of users answers ${status}`]
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
