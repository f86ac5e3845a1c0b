import type { Deps } from '../../deps.ts'
import type { Chores } from '../../platform/shared/chores.ts'
import { deleteBatches } from '../records/batches.queries.ts'
import { deleteSkips } from '../records/skips.queries.ts'
import { deleteSubmissions } from '../records/submissions.queries.ts'
import { deleteInSteps, keptFrom } from './rows.ts'
import { deleteOldMessages } from './old-messages.ts'
import { letPartitionsGo, makePartitions } from './partitions.ts'
import { listPartitions } from './partitions.queries.ts'

const ROWS_A_STEP = 5_000

type RetentionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'log'>

export function retentionChores(deps: RetentionDeps, signal: AbortSignal): Chores {
  const ofOld = (remove: typeof deleteBatches) => async () => {
    const before = keptFrom(await listPartitions(deps.db))
    if (before !== undefined)
      await deleteInSteps((step) => remove(deps.db, step), { before, limit: ROWS_A_STEP }, signal)
  }
  return {
    'make partitions for notifications': () => makePartitions(deps),
    'let go of old notifications': () => letPartitionsGo(deps, signal),
    'delete old batches': ofOld(deleteBatches),
    'delete old submissions': ofOld(deleteSubmissions),
    'delete old skips': ofOld(deleteSkips),
    'delete old messages': () => deleteOldMessages(deps, signal),
  }
}
