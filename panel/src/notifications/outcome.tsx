import { Text } from '@mantine/core'
import { t } from '../translation/translate.ts'
import type { Campaign } from './campaigns.tsx'

/** How far a push has come. */
type Outcome = 'waiting' | 'sent' | 'delivered' | 'opened' | 'failed'

/** As the counts and the filter call them. */
export const OUTCOMES: Record<Outcome, string> = {
  waiting: t('waiting'),
  sent: t('sent'),
  delivered: t('delivered'),
  opened: t('opened'),
  failed: t('failed'),
}

type Push = {
  is_send: boolean
  is_delivered: boolean | null
  is_open: boolean
  settled_at: string | null
  shown_at: string | null
  dismissed_at: string | null
}

/** The outcome of a push by the facts that are counted, and beside it what the phone said. */
export function PushOutcome({ push }: { push: Push }) {
  const told = push.is_open ? undefined : saidByPhone(push)
  return (
    <>
      {OUTCOMES[outcomeOf(push)]}
      {told !== undefined && (
        <Text size="xs" c="dimmed">
          {told}
        </Text>
      )}
    </>
  )
}

function outcomeOf({
  is_open: isOpen,
  is_delivered: isDelivered,
  is_send: isSent,
  settled_at: settledAt,
}: Push): Outcome {
  if (isOpen) return 'opened'
  if (isDelivered === true) return 'delivered'
  if (isDelivered === false || (!isSent && settledAt !== null)) return 'failed'
  return isSent ? 'sent' : 'waiting'
}

function saidByPhone({ shown_at: shownAt, dismissed_at: dismissedAt }: Push): string | undefined {
  if (dismissedAt !== null) return t('The phone says: dismissed')
  return shownAt === null ? undefined : t('The phone says: shown')
}

/** The state of a campaign in a word: one whose last pushes have no receipt yet is not called completed. */
export function campaignState({ status, counts }: Pick<Campaign, 'status' | 'counts'>): string {
  return status === 'completed' && counts.pending > 0 ? 'awaiting_receipts' : status
}
