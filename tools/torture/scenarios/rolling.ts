import { previousRelease, startAfter, startBefore } from '../environments/release-before.ts'
import { OWN_RELEASE, type Process } from '../processes.ts'
import { runningOn, type Finding, type Scenario } from '../scenario.ts'
import { runWithFault, type Service } from '../with-fault.ts'
import type { Plan, World } from '../world.ts'

const IN_TIME_MS = 25_000

const worldOptions = ({ users }: Plan) => ({
  // Ten seconds a campaign, as long as the restarts.
  settings: {
    PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 10), 20)),
    PUSH_TIMEOUT_SECONDS: '4',
    PUSH_LEASE_SECONDS: '20',
  },
  provider: { latencyMs: 400 },
})

/** All processes are replaced: each gets SIGTERM once its replacement runs. */
export const rolling: Scenario = {
  name: 'rolling',
  about: 'each process of the API and each worker is replaced in turn while a campaign runs and pushes arrive',
  worldOptions,
  run: (world) => replaceAll(world),
}

/** A new release is rolled out: its first process migrates the database below those of the release before. */
export const upgrade: Scenario = runningOn(startBefore, {
  name: 'upgrade',
  about: 'the same, from the release before to this one: its processes and ours on one database, which ours migrate',
  worldOptions: (plan) => ({ ...worldOptions(plan), release: previousRelease() }),
  run: (world) => replaceAll(world, OWN_RELEASE),
})

/** The release before comes back: its processes take over from ours, on the schema of this release. */
export const rollback: Scenario = runningOn(startAfter, {
  name: 'rollback',
  about:
    'the way back: each process of this release is replaced by one of the release before, on the schema of this one',
  worldOptions,
  run: (world) => replaceAll(world, previousRelease()),
})

function replaceAll(world: World, release?: string): Promise<Finding> {
  return runWithFault(world, { duplicates: 'none', webs: 2 }, async (service) => {
    const ends = []
    const old = [...service.workers, ...service.webs]
    for (const process of old) ends.push(await replace(world, service, process, release))
    const wrong = ends.filter(({ code, ms }) => code !== 0 || ms > IN_TIME_MS)
    return {
      faults: wrong.map(({ name, code, ms }) => `SIGTERM: ${name} ended with ${code} after ${ms} ms`),
      notes: [`ended after ${ends.map(({ name, ms }) => `${ms} ms (${name})`).join(', ')}`],
    }
  })
}

/** Starts a replacement of a process, in another release when one is named, and ends the process. */
async function replace(world: World, service: Service, old: Process, release?: string) {
  const isWorker = service.workers.includes(old)
  const list = isWorker ? service.workers : service.webs
  const where = release === undefined ? {} : { release }
  list.push(await (isWorker ? world.startWorker({}, where) : world.startWeb({}, where)))
  // Clients still call it while it stops.
  const end = await old.terminate()
  list.splice(list.indexOf(old), 1)
  return { name: old.name, ...end }
}
