import type { Db } from '../db/connect.ts'
import type { Log } from '../shared/log.ts'
import type { Loops } from './loops.ts'
import { createWakeSignal } from './wake-signal.ts'
import { completeJobs, failJobs, fetchJobs, type Payloads, type Queue, type QueueName } from './queue.ts'

type Run<Name extends QueueName> = (payload: Payloads[Name], signal: AbortSignal) => Promise<void>

// Polling finds jobs that nobody announced: those of schedules, those that are retried, and those whose announcement
// was lost.
const POLL_EVERY_S = 15

/** `run` may be called twice with the same payload and must have the same result; an error makes the job come again. */
export async function workOn<Name extends QueueName>(
  { queue: { boss, waiting }, log }: { queue: Queue; log: Log },
  name: Name,
  run: Run<Name>,
  atOnce = 1,
): Promise<void> {
  const options = { pollingIntervalSeconds: POLL_EVERY_S }
  const ids = await Promise.all(
    Array.from({ length: atOnce }, () =>
      boss.work<Payloads[Name]>(name, options, async ([job]) => {
        if (job)
          await run(job.data, job.signal).catch((error: unknown) => {
            log.error({ err: error, job: name }, `a job failed: ${name}`)
            throw error
          })
      }),
    ),
  )
  waiting.set(name, () => {
    for (const id of ids) boss.notifyWorker(id)
  })
}

const JOB_WITHIN_MS = 120_000

export async function workThrough<Name extends QueueName>(
  { queue, db, log, loops }: { queue: Queue; db: Db; log: Log; loops: Loops },
  name: Name,
  run: Run<Name>,
  signal: AbortSignal,
): Promise<void> {
  const work = createWakeSignal()
  queue.waiting.set(name, work.wake)
  const failed = (error: unknown) => log.warn({ err: error, job: name }, 'could not read the job queue')
  await loops.run({ name, work, signal, withinMs: JOB_WITHIN_MS, failed }, async () => {
    const [job] = await fetchJobs(queue, name, 1)
    if (job === undefined) return POLL_EVERY_S * 1_000
    await run(job.data, signal).then(
      () => completeJobs(queue, db, name, [job]),
      async (error: unknown) => {
        log.error({ err: error, job: name }, 'a job failed and will be retried')
        await failJobs(queue, name, [job], 'the job failed')
      },
    )
    return 0
  })
}
