import type { Db } from '../db/connect.ts'
import { sleep } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { completeJobs, failJobs, fetchJobs, type Payloads, type Queue, type QueueName } from './queue.ts'

type Run<Name extends QueueName> = (payload: Payloads[Name], signal: AbortSignal) => Promise<void>

/**
 * Works on a queue until the queue stops: one job at a time, `run` may be called twice with the same payload and must
 * come out the same. An error fails the job, which comes back after its queue's delay.
 */
export async function workOn<Name extends QueueName>(queue: Queue, name: Name, run: Run<Name>): Promise<void> {
  await queue.boss.work<Payloads[Name]>(name, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await run(job.data, job.signal)
  })
}

const LOOK_EVERY_MS = 100
const AFTER_ERROR_MS = 1_000

/** The same for jobs that somebody waits for: it looks ten times a second, until the signal aborts. */
export async function workAtOnce<Name extends QueueName>(
  { queue, db, log }: { queue: Queue; db: Db; log: Log },
  name: Name,
  run: Run<Name>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const [job] = await fetchJobs(queue, name, 1)
      if (job === undefined) await sleep(LOOK_EVERY_MS, signal)
      else
        await run(job.data, signal).then(
          () => completeJobs(queue, db, name, [job]),
          async (error: unknown) => {
            log.error({ err: error, job: name }, 'a job failed and comes back')
            await failJobs(queue, name, [job], 'the job failed')
          },
        )
    } catch (error) {
      log.warn({ err: error, job: name }, 'the queue cannot be read')
      await sleep(AFTER_ERROR_MS, signal)
    }
  }
}
