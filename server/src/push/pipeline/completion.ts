import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Claim } from './claim.ts'
import { completeFinishedMessages } from '../records/messages.queries.ts'

/** After the commit that ended their batches: of several workers that end at once, the last sees them all done. */
export async function completeFinished(
  deps: Pick<Deps, 'db' | 'clock'>,
  claim: Pick<Claim, 'messageIds'>,
): Promise<void> {
  if (claim.messageIds.length > 0) await completeFinishedMessages(deps.db, claim.messageIds, fromNow(deps.clock))
}
