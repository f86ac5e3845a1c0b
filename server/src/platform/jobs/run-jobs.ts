import type { Log } from '../shared/log.ts'
import type { Payloads, Queue, QueueName } from './queue.ts'

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
        if (job === undefined) return
        // The worker looks again at once after this job, as others may wait.
        waiting.get(name)?.()
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
