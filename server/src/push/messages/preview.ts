import type { PushDeps } from '../deps.ts'
import { mustBeApproved } from '../../identity/approvals/approvals.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { summariseAudience, type AudienceSummary } from '../records/audience-summary.queries.ts'
import { checkContent, payloadBytesOf, toPushContent, type NewContent } from './content.ts'

/** `payloadBytes`: of the largest copy. `secondsToFinish`: what the pace needs, 0 without one. */
export type SendPreview = {
  summary: AudienceSummary
  payloadBytes: number
  secondsToFinish: number
  needsApproval: boolean
}

/** Refuses what a send would refuse, and stores nothing. */
export async function previewBulkSend(
  deps: Pick<PushDeps, 'db' | 'clock' | 'config' | 'providers'>,
  audience: 'all' | 'sandbox',
  content: NewContent,
): Promise<SendPreview> {
  const push = toPushContent(content, 'campaign')
  checkContent(deps, content, 'campaign')
  const summary = await summariseAudience(deps.db, audience, fromNow(deps.clock))
  const rate = deps.config.PUSH_RATE_PER_SECOND
  return {
    summary,
    payloadBytes: payloadBytesOf(deps, push),
    needsApproval: mustBeApproved(deps.config, 'send') && summary.selected > deps.config.APPROVAL_RECIPIENTS,
    secondsToFinish: rate === 0 ? 0 : Math.ceil(summary.devices / rate),
  }
}

/** How many users get a push. */
export function reachOf({ selected, no_device, signed_out, opted_out, inactive }: AudienceSummary): number {
  return selected - no_device - signed_out - opted_out - inactive
}
