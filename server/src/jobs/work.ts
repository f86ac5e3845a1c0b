import type { Payloads, Queue, QueueName } from './queue.ts'

/**
 * Works on a queue until the queue stops: one job at a time, `run` may be called twice with the same payload and must
 * come out the same. An error fails the job, which comes back after its queue's delay.
 */
export async function workOn<Name extends QueueName>(
  queue: Queue,
  name: Name,
  run: (payload: Payloads[Name], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await queue.boss.work<Payloads[Name]>(
    name,
    { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 5 },
    async ([job]) => {
      if (job) await run(job.data, job.signal)
    },
  )
}
