import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { summariseAudience, type AudienceSummary } from '../records/audience-summary.queries.ts'
import { checkContent, payloadBytesOf, toPushContent, type NewContent } from './content.ts'

/** `payloadBytes`: of the largest copy. `secondsToFinish`: what the pace needs, 0 without one. */
export type SendPreview = { summary: AudienceSummary; payloadBytes: number; secondsToFinish: number }

/** Refuses what a send would refuse, and stores nothing. */
export async function previewBulkSend(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'providers'>,
  audience: 'all' | 'sandbox',
  content: NewContent,
): Promise<SendPreview> {
  const push = toPushContent(content, 'campaign')
  checkContent(deps, push)
  const summary = await summariseAudience(deps.db, audience, fromNow(deps.clock))
  const rate = deps.config.PUSH_RATE_PER_SECOND
  return {
    summary,
    payloadBytes: payloadBytesOf(deps, push),
    secondsToFinish: rate === 0 ? 0 : Math.ceil(summary.devices / rate),
  }
}
