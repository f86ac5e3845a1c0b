import { carryOutDueDecisions } from '../../src/administration/cases/decisions.ts'
import { createHandlers } from '../../src/handlers.ts'
import { countHomes } from '../../src/platform/db/homes.ts'
import { runOnce } from '../../src/push/pipeline/submit.ts'
import { completeJob, fetchJobs } from './jobs.ts'
import type { Deps } from '../../src/deps.ts'

/** Does all due work with the worker's own code, and stops when nothing is due. */
export async function drain({ deps }: { deps: Deps }): Promise<void> {
  const { signal } = new AbortController()
  const handlers = createHandlers(deps)
  await carryOutDueDecisions(deps)
  for (let worked = true; worked;) {
    worked = false
    for (const job of await fetchJobs(deps.queue, 'coordinate', 10)) {
      await handlers.coordinate(job.data, signal)
      await completeJob(deps.queue, 'coordinate', job)
      worked = true
    }
    for (const ofProvider of deps.providers)
      for (const lane of ['transactional', 'campaign'] as const)
        // A round does one home, and the next lane comes after all of them.
        for (let rounds = countHomes(deps.db); rounds > 0; rounds--)
          if ((await runOnce({ ...deps, ...ofProvider }, lane, signal)) === 'worked') worked = true
    for (const job of await fetchJobs(deps.queue, 'run-bulk-change', 10)) {
      await handlers['run-bulk-change'](job.data, signal)
      await completeJob(deps.queue, 'run-bulk-change', job)
      worked = true
    }
    for (const job of await fetchJobs(deps.queue, 'fetch-receipts', 10)) {
      await handlers['fetch-receipts'](job.data, signal)
      await completeJob(deps.queue, 'fetch-receipts', job)
      worked = true
    }
  }
}
