import type { Deps } from '../../deps.ts'
import type { Chores } from '../../platform/shared/chores.ts'
import { deleteOldBatches, deleteOldSkips, deleteOldSubmissions, keptFrom } from './rows.ts'
import { letPartitionsGo, makePartitions } from './partitions.ts'
import { listPartitions } from './partitions.queries.ts'

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'log'>

export function retentionChores(deps: RetentionDeps, signal: AbortSignal): Chores {
  const ofOld = (remove: typeof deleteOldBatches) => async () => {
    const before = keptFrom(await listPartitions(deps.db))
    if (before !== undefined) await remove(deps, before, signal)
  }
  return {
    'make partitions for notifications': () => makePartitions(deps),
    'let go of old notifications': () => letPartitionsGo(deps, signal),
    'delete old batches': ofOld(deleteOldBatches),
    'delete old submissions': ofOld(deleteOldSubmissions),
    'delete old skips': ofOld(deleteOldSkips),
  }
}
