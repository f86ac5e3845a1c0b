import { sleep } from '../../platform/shared/clock.ts'
import type { Deleted, DeleteStep } from '../records/copies.ts'
import type { Partition } from './partitions.queries.ts'

const ROWS_A_STEP = 5_000
const STEPS_A_RUN = 100

/** The beginning of the first partition that was not let go; undefined: none was. */
export function keptFrom(partitions: readonly Pick<Partition, 'let_go_at' | 'made_from'>[]): Date | undefined {
  return partitions.find((partition) => partition.let_go_at === null)?.made_from ?? undefined
}

/** In a quarter of the time, so that pushes go first; the next run goes on. */
export async function deleteInSteps(
  step: (rows: DeleteStep) => Promise<Deleted>,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  let after = 0
  for (let steps = 0; steps < STEPS_A_RUN && !signal.aborted; steps++) {
    const from = performance.now()
    const { deleted, last } = await step({ after, before, limit: ROWS_A_STEP })
    if (deleted < ROWS_A_STEP || last === null) break
    after = last
    await sleep(3 * (performance.now() - from), signal)
  }
}
