import { sleep } from '../../platform/shared/clock.ts'
import type { DeletedUpTo, DeleteStep } from '../records/copies.ts'
import type { Partition } from './partitions.queries.ts'

const STEPS_A_RUN = 100

/** The beginning of the first partition that was not let go; undefined: none was. */
export function keptFrom(partitions: readonly Pick<Partition, 'let_go_at' | 'made_from'>[]): Date | undefined {
  return partitions.find((partition) => partition.let_go_at === null)?.made_from ?? undefined
}

/** Repeats work in a quarter of the time, so that pushes go first, while there is more of it. */
export async function inAQuarterOfTheTime(work: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const from = performance.now()
    const isMore = await work()
    if (!isMore) return
    await sleep(3 * (performance.now() - from), signal)
  }
}

/** The next run goes on. */
export async function deleteInSteps(
  step: (rows: DeleteStep) => Promise<DeletedUpTo>,
  rows: Pick<DeleteStep, 'before' | 'limit'>,
  signal: AbortSignal,
): Promise<void> {
  let after = 0
  let steps = 0
  await inAQuarterOfTheTime(async () => {
    const last = await step({ ...rows, after })
    if (last === null) return false
    after = last
    return ++steps < STEPS_A_RUN
  }, signal)
}
