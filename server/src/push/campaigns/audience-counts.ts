import { SKIP_REASONS } from '../../platform/shared/words.ts'
import type { CountName, MessageStatus, SkipReason } from '../../platform/tables/tables.ts'

/**
 * The counters tell it (decision B8): selected = skipped + notified + waiting, at any moment. Nobody waits in a
 * finished message: everybody was skipped or notified.
 */
export function divideAudience(message: { [Name in CountName]: number } & { status: MessageStatus }) {
  const { selected } = message
  const counts = SKIP_REASONS.map((reason) => [reason, message[`skipped_${reason}`]] as const)
  const skipped = Object.fromEntries(counts) as Record<SkipReason, number>
  const remaining = selected - Object.values(skipped).reduce((sum, count) => sum + count, 0)
  const isEnded = message.status === 'completed' || message.status === 'stopped'
  const notified = isEnded ? remaining : message.notified
  return { selected, skipped, notified, waiting: remaining - notified }
}
