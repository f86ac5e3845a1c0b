import type { Db } from '../db/connect.ts'
import { sleep } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Bell } from './bell.ts'
import { completeJobs, failJobs, fetchJobs, type Payloads, type Queue, type QueueName } from './queue.ts'

type Run<Name extends QueueName> = (payload: Payloads[Name], signal: AbortSignal) => Promise<void>

// The lookout wakes queues; this poll is for the case that it fails.
const LOOK_EVERY_S = 60

/**
 * Works on a queue until it stops, `atOnce` jobs at a time. `run` may be called twice with the same payload and must
 * have the same result. An error fails the job, which is retried after its queue's delay. Returns a function that wakes
 * it.
 */
export async function workOn<Name extends QueueName>(
  { boss }: Queue,
  name: Name,
  run: Run<Name>,
  atOnce = 1,
): Promise<() => void> {
  const options = { pollingIntervalSeconds: LOOK_EVERY_S }
  const ids = await Promise.all(
    Array.from({ length: atOnce }, () =>
      boss.work<Payloads[Name]>(name, options, async ([job]) => {
        if (job) await run(job.data, job.signal)
      }),
    ),
  )
  return () => {
    for (const id of ids) boss.notifyWorker(id)
  }
}

const LONGEST_REST_MS = 60_000
const AFTER_ERROR_MS = 1_000

/** The same for queues with many jobs: it fetches when the bell rings, until the signal aborts. */
export async function workWhenRung<Name extends QueueName>(
  { queue, db, log, bell }: { queue: Queue; db: Db; log: Log; bell: Bell },
  name: Name,
  run: Run<Name>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const rings = bell.rings()
    try {
      const [job] = await fetchJobs(queue, name, 1)
      if (job === undefined) await bell.wait(LONGEST_REST_MS, signal, rings)
      else
        await run(job.data, signal).then(
          () => completeJobs(queue, db, name, [job]),
          async (error: unknown) => {
            log.error({ err: error, job: name }, 'a job failed and will be retried')
            await failJobs(queue, name, [job], 'the job failed')
          },
        )
    } catch (error) {
      log.warn({ err: error, job: name }, 'could not read the job queue')
      await sleep(AFTER_ERROR_MS, signal)
    }
  }
}
