import type { Deps } from '../../deps.ts'
import { sleep } from '../../platform/shared/clock.ts'
import { deleteBatches } from '../records/batches.queries.ts'
import type { Deleted } from '../records/copies.ts'
import { deleteSkips } from '../records/skips.queries.ts'
import { deleteSubmissions } from '../records/submissions.queries.ts'
import type { Partition } from './partitions.queries.ts'

const ROWS_A_STEP = 5_000
const STEPS_A_RUN = 100

type DeleteDeps = Pick<Deps, 'db'>

/** The beginning of the first partition that was not let go; undefined: none was. */
export function keptFrom(partitions: readonly Pick<Partition, 'let_go_at' | 'made_from'>[]): Date | undefined {
  return partitions.find((partition) => partition.let_go_at === null)?.made_from ?? undefined
}

export function deleteOldBatches({ db }: DeleteDeps, before: Date, signal: AbortSignal): Promise<number> {
  return inSteps(signal, (after) => deleteBatches(db, { after, before, limit: ROWS_A_STEP }))
}

export function deleteOldSubmissions({ db }: DeleteDeps, before: Date, signal: AbortSignal): Promise<number> {
  return inSteps(signal, (after) => deleteSubmissions(db, { after, before, limit: ROWS_A_STEP }))
}

export function deleteOldSkips({ db }: DeleteDeps, before: Date, signal: AbortSignal): Promise<number> {
  return inSteps(signal, async () => {
    const deleted = await deleteSkips(db, { before, limit: ROWS_A_STEP })
    return { deleted, last: 0 }
  })
}

/** In a quarter of the time, so that pushes go first; the next run goes on. */
async function inSteps(signal: AbortSignal, step: (after: number) => Promise<Deleted>): Promise<number> {
  let [total, after] = [0, 0]
  for (let steps = 0; steps < STEPS_A_RUN && !signal.aborted; steps++) {
    const from = performance.now()
    const { deleted, last } = await step(after)
    total += deleted
    if (deleted < ROWS_A_STEP || last === null) break
    after = last
    await sleep(3 * (performance.now() - from), signal)
  }
  return total
}
