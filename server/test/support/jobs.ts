import type { Job } from 'pg-boss'
import type { Payloads, Queue, QueueName } from '../../src/platform/jobs/queue.ts'

/** Takes jobs as a worker would, so a test can run them itself. */
export function fetchJobs<Name extends QueueName>({ boss }: Queue, name: Name, size: number) {
  return boss.fetch<Payloads[Name]>(name, { batchSize: size })
}

/** A job that expired meanwhile, and now belongs to another worker, does not change. */
export async function completeJob({ boss }: Queue, name: QueueName, { id, retryCount }: Job): Promise<void> {
  await boss.complete(name, [{ id, retryCount }])
}
