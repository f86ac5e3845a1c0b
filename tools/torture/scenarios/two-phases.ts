import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster.ts'
import { startWhereDivided, type DividedEnvironment } from '../environments/divided.ts'
import { holdCommits, untilSettled } from '../prepared.ts'
import { findHalves, givenTraders, propose, type Traders } from '../proposals.ts'
import { toFinding, runningOn, type Finding } from '../scenario.ts'
import { drain, isBusy, startCampaign, startService, type World } from '../world.ts'

// The processes survive, so that nothing is sent twice.
const SETTINGS = { PUSH_RATE_PER_SECOND: '150', PUSH_TIMEOUT_SECONDS: '5', PUSH_LEASE_SECONDS: '20' }

/** What ends servers while a proposal is under way, which takes `usualMs`, and starts them again. */
type Fault = { name: string; inject(world: World, servers: DividedEnvironment, usualMs: number): Promise<void> }

/** Between PREPARE at a worker and the commit of the coordinator, and between that and COMMIT PREPARED. */
export const twoPhases = runningOn(startWhereDivided, {
  name: 'two-phases',
  about:
    'a worker of a Citus, its coordinator or both killed between PREPARE and COMMIT PREPARED of a swap and its push',
  worldOptions: () => ({ settings: SETTINGS }),
  run: (world, servers) =>
    runFaults(world, servers, [
      held('a worker, its PREPARE done', false, ({ workers }) => workers.slice(0, 1)),
      held('the coordinator, each PREPARE done', false, ({ cluster }) => [cluster]),
      held('a worker, the commit decided', true, ({ workers }) => workers.slice(0, 1)),
      held('the coordinator, the commit decided', true, ({ cluster }) => [cluster]),
      held('all, the commit decided', true, ({ cluster, workers }) => [cluster, ...workers]),
    ]),
})

export const swapCommit = runningOn(startWhereDivided, {
  name: 'swap-commit',
  about: 'the coordinator of a Citus killed at any moment of a swap: its push exists if and only if the swap does',
  worldOptions: () => ({ settings: SETTINGS }),
  run: (world, servers) =>
    runFaults(world, servers, [
      {
        name: 'the coordinator',
        inject: async ({ random }, { cluster }, usualMs) => {
          // Its last statements are those of the commit.
          await sleep(usualMs * (0.5 + random.next() * 0.6))
          await restart([cluster])
        },
      },
    ]),
})

async function runFaults(world: World, servers: DividedEnvironment, faults: Fault[]): Promise<Finding> {
  const { web, token, workers } = await startService(world, 2)
  const traders = await givenTraders(web.url)
  const usualMs = await timeProposal(world, web.url, traders)
  const campaigns: number[] = []
  const broken: string[] = []
  const waits: number[] = []
  const answers = new Map<string, number>()
  for (let n = 0; n < world.plan.kills; n++) {
    if (!(await isBusy(world))) campaigns.push(await startCampaign(world, web, token))
    const say = await propose(world, web.url, traders)
    const said = say()
    const fault = faults[n % faults.length]!
    await fault.inject(world, servers, usualMs)
    const settled = await untilSettled(world)
    broken.push(...settled.faults.map((sentence) => `${fault.name}: ${sentence}`))
    waits.push(settled.ms)
    const status = String((await said)?.status ?? 'no answer')
    answers.set(status, (answers.get(status) ?? 0) + 1)
    // The other half shows what is left where nobody asks again.
    if (n % 2 === 0) for (let again = await say(); again?.status !== 201; again = await say()) await sleep(100)
  }
  const { rows } = await world.pool.query<{ id: number }>('select message_id::int as id from messages')
  await drain(
    world,
    rows.map(({ id }) => id),
    90_000,
  )
  const halves = await findHalves(world)
  const strange = [...answers.keys()].filter((status) => !['201', '503', 'no answer'].includes(status))
  const dead = [web, ...workers].filter((process) => !process.isRunning())
  return toFinding(
    world,
    { messageIds: campaigns, duplicates: 'none' },
    {
      faults: [
        ...broken,
        ...halves.faults,
        ...strange.map((status) => `a proposal got ${status}`),
        ...dead.map(({ name }) => `${name} did not survive`),
      ],
      notes: [
        ...faults.map(({ name }) => `killed: ${name}`),
        `${world.plan.kills} kills, ${halves.swaps} swaps, each with its push; answers: ${[...answers].map((one) => one.join(' ')).join(', ')}`,
        `locks were held for ${Math.max(...waits)} ms at most`,
      ],
    },
  )
}

/** The median of five that nothing disturbs. */
async function timeProposal(world: World, url: string, traders: Traders): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const say = await propose(world, url, traders)
    const from = performance.now()
    await say()
    times.push(performance.now() - from)
  }
  return times.toSorted((a, b) => a - b)[2] ?? 0
}

/** Kills `who` while PREPARE stands at the workers, or, where it `isDecided`, the commit of the coordinator. */
function held(name: string, isDecided: boolean, who: (servers: DividedEnvironment) => Cluster[]): Fault {
  return {
    name,
    inject: async (_, servers) => {
      const { cluster, workers } = servers
      let holds = await Promise.all(workers.map(holdCommits))
      await Promise.any(holds.map((hold) => hold.reached('prepare transaction')))
      if (isDecided) {
        const own = await holdCommits(cluster)
        for (const hold of holds) await hold.release()
        await own.reached('')
        holds = [own]
      }
      for (const hold of holds) await hold.forget()
      await restart(who(servers))
      for (const hold of holds) await hold.release()
    },
  }
}

async function restart(servers: Cluster[]): Promise<void> {
  for (const server of servers) await server.stop('immediate')
  for (const server of servers) await server.start()
}
