import type { Process } from '../processes.ts'
import type { Scenario } from '../scenario.ts'
import { runWithFault, type Service } from '../with-fault.ts'
import type { World } from '../world.ts'

const IN_TIME_MS = 25_000

/** A new version is rolled out: each process gets SIGTERM once its replacement runs. */
export const rolling: Scenario = {
  name: 'rolling',
  about: 'each process of the API and each worker is replaced in turn while a campaign runs and pushes arrive',
  worldOptions: ({ users }) => ({
    // Ten seconds a campaign, as long as the restarts.
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 10), 20)),
      PUSH_TIMEOUT_SECONDS: '4',
      PUSH_LEASE_SECONDS: '20',
    },
    provider: { latencyMs: 400 },
  }),
  run: (world) =>
    runWithFault(world, { duplicates: 'none', webs: 2 }, async (service) => {
      const ends = []
      const old = [...service.workers, ...service.webs]
      for (const process of old) ends.push(await replace(world, service, process))
      const wrong = ends.filter(({ code, ms }) => code !== 0 || ms > IN_TIME_MS)
      return {
        faults: wrong.map(({ name, code, ms }) => `SIGTERM: ${name} ended with ${code} after ${ms} ms`),
        notes: [`ended after ${ends.map(({ name, ms }) => `${ms} ms (${name})`).join(', ')}`],
      }
    }),
}

async function replace(world: World, service: Service, old: Process) {
  const isWorker = service.workers.includes(old)
  const list = isWorker ? service.workers : service.webs
  list.push(await (isWorker ? world.startWorker() : world.startWeb()))
  // Clients still call it while it stops.
  const end = await old.terminate()
  list.splice(list.indexOf(old), 1)
  return { name: old.name, ...end }
}
