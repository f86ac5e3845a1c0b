import type { Deps } from '../../deps.ts'
import { summariseAudience } from '../records/audience-summary.queries.ts'
import { checkContent, MAX_PAYLOAD_BYTES, payloadBytesOf, toPushContent, type NewContent } from './content.ts'

/**
 * What a bulk send would do now, and nothing stored: the audience with its skips, the bytes of the largest copy, and
 * the seconds that the pace needs (0 without one). Content that a send would refuse is refused here too.
 */
export async function previewBulkSend(
  deps: Pick<Deps, 'db' | 'config' | 'providers'>,
  audience: 'all' | 'sandbox',
  content: NewContent,
) {
  const push = toPushContent(content, 'campaign')
  checkContent(deps, push)
  const { isEstimate, ...summary } = await summariseAudience(deps.db, audience)
  const { selected, inactive, opted_out, no_device, ios, android } = summary
  const total = ios + android
  const rate = deps.config.PUSH_RATE_PER_SECOND
  return {
    selected,
    skipped: { no_device, opted_out, inactive },
    users: selected - no_device - opted_out - inactive,
    devices: { ios, android, total },
    payload_bytes: payloadBytesOf(deps, push),
    payload_limit: MAX_PAYLOAD_BYTES,
    seconds_to_finish: rate === 0 ? 0 : Math.ceil(total / rate),
    ...(isEstimate && { is_estimate: true as const }),
  }
}
