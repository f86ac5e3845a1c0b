import { setTimeout as sleep } from 'node:timers/promises'
import { startOnSmallDisk } from '../environments/small-disk.ts'
import { runningOn } from '../scenario.ts'
import { runWithFault } from '../with-fault.ts'

const FULL_MS = 5_000

/** The disk of the database and of a worker's log is full for some seconds. PostgreSQL refuses writes or crashes. */
export const disk = runningOn(startOnSmallDisk, {
  name: 'disk',
  about: 'the disk of PostgreSQL and of the log of a worker is full for 5 s, then free again',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 6), 50)),
      PUSH_TIMEOUT_SECONDS: '4',
      PUSH_LEASE_SECONDS: '20',
    },
    provider: { latencyMs: 150 },
  }),
  run: (world, { cluster, disk: folder, fill }) =>
    runWithFault(world, { duplicates: 'none' }, async ({ workers }) => {
      workers.push(await world.startWorker({}, { logFolder: folder }))
      const ballast = await fill()
      await sleep(FULL_MS)
      const wasUp = await cluster.isUp()
      await ballast.free()
      // A supervisor would restart it.
      if (!(await cluster.isUp())) await cluster.revive()
      return { notes: [`PostgreSQL ${wasUp ? 'stayed up' : 'was down'} while its disk was full`] }
    }),
})
