import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { call, sendToAll } from '../api.ts'
import type { Cluster } from '../cluster.ts'
import { startWhereDivided, startWhereFull, type DividedEnvironment } from '../environments/divided.ts'
import { listHomesOf, openSessions, untilDecided, untilOthersHave, untilToldOfSwaps } from '../lost-homes.ts'
import { untilSettled } from '../prepared.ts'
import { findHalves, propose, type Traders } from '../proposals.ts'
import { runningOn } from '../scenario.ts'
import { stopWithout, untilLeftOut } from '../stops.ts'
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
    'a worker of a Citus is away (--outage seconds): its homes wait, for others campaigns start and stop, swaps push',
  worldOptions,
  run: (world, { workers }) =>
    runWithFault(world, { duplicates: 'none' }, async (service, campaign) => {
      const lost = await listHomesOf(world, workers[0]!)
      const people = await openSessions(world, lost)
      const begun = await sendToAll(service.webs[0]!.url, service.token)
      await untilDecided(world)
      const { did, awayMs } = await whileAway(world, workers[0]!, () =>
        actOnOthers(world, service, { lost, people, campaign, begun }),
      )
      const settled = await untilSettled(world)
      await untilToldOfSwaps(world, people.lost, 1)
      const leftOut = await untilLeftOut(world, begun, lost)
      const halves = await findHalves(world)
      return {
        campaigns: [did.created],
        stops: [did.quiet],
        faults: [...did.faults, ...settled.faults, ...leftOut.faults, ...halves.faults],
        notes: [
          `away for ${awayMs} ms with homes ${lost.join(', ')}`,
          ...did.notes,
          `another campaign was stopped meanwhile: ${leftOut.note}`,
          `${halves.swaps} swaps were proposed meanwhile, each with its push`,
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

/** A server is away until `act` is done, for --outage seconds at least, and back whatever comes of it. */
async function whileAway<T>({ plan }: World, server: Cluster, act: () => Promise<T>) {
  await server.stop('immediate')
  const from = performance.now()
  try {
    const did = await act()
    await sleep(Math.max(0, plan.outageSeconds * 1_000 - (performance.now() - from)))
    return { did, awayMs: Math.round(performance.now() - from) }
  } finally {
    await server.start()
  }
}

type Given = { lost: number[]; people: People; campaign: number; begun: number }
type People = Awaited<ReturnType<typeof openSessions>>

/** Sends, stops what was `begun`, proposes swaps and reads reports. */
async function actOnOthers(world: World, service: Service, { lost, people, campaign, begun }: Given) {
  const { token } = service
  const { url } = service.webs[0]!
  const left = await untilOthersHave(world, { messageId: campaign, lost })
  const created = await sendToAll(url, token)
  const { quiet, faults } = await stopWithout(lost, { url, token }, begun)
  const refused = await proposeSwaps(world, url, people)
  const pushed = await untilOthersHave(world, { messageId: created, lost })
  return {
    created,
    quiet,
    faults: [...faults, ...refused, ...(await findWrongAnswers(service, campaign, lost))],
    notes: [
      `${left.pushes} pushes to people of other homes were all accepted ${left.ms} ms later`,
      `those of a campaign that was created then, ${pushed.ms} ms after the swaps`,
    ],
  }
}

/** Between people of other homes, who are told at once, and with a person of the lost homes, who is told later. */
async function proposeSwaps(world: World, url: string, people: People): Promise<string[]> {
  const { lost, other, another } = people
  const faults: string[] = []
  const expectOne = async (owner: Traders['owner']) => {
    const answer = await (await propose(world, url, { requester: other, owner }))()
    if (answer?.status !== 201) faults.push(`a proposal got ${answer?.status} and not 201: ${answer?.text}`)
  }
  for (let swaps = 0; swaps < world.plan.kills; swaps++) await expectOne(another)
  await untilToldOfSwaps(world, another, world.plan.kills - faults.length)
  await expectOne(lost)
  return faults
}

/** A sentence for each answer that is not as docs/divided.md says. */
async function findWrongAnswers({ webs, token }: Service, campaign: number, lost: number[]): Promise<string[]> {
  const homes = lost.join(', ')
  const asked: [path: string, status: number, says: string][] = [
    [`/api/admin/promotional-notifications/${campaign}`, 503, `(${homes})`],
    [`/api/admin/notifications/${campaign}/people`, 503, `(${homes})`],
    ['/api/admin/promotional-notifications', 200, `"homes_not_counted":${JSON.stringify(lost)}`],
    ['/api/admin/v1/users', 200, ''],
  ]
  const faults: string[] = []
  for (const [path, status, says] of asked) {
    const answer = await call(webs[0]!.url, 'GET', path, { token })
    if (answer.status !== status || !answer.text.includes(says))
      faults.push(`${path} answers ${answer.status} without ${says}: ${answer.text.slice(0, 200)}`)
  }
  return faults
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
