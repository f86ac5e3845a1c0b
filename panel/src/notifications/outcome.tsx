import { Code, Group, Stack, Text } from '@mantine/core'
import { inWords, phoneWord, Tag } from '../common/labels.tsx'
import type { RowOf } from '../common/list-query.ts'
import { t } from '../translation/translate.ts'
import type { Campaign } from './campaigns.tsx'

/** How far a push has come. */
type Outcome = 'waiting' | 'sent' | 'delivered' | 'opened' | 'failed'

export const OUTCOMES: Record<Outcome, string> = {
  waiting: t('waiting'),
  sent: t('sent'),
  delivered: t('delivered'),
  opened: t('opened'),
  failed: t('failed'),
}

type Selected = Pick<
  RowOf<'/api/admin/notifications/{notification_id}/people'>,
  'outcome' | 'skip_reason' | 'notifications'
>
type Push = Selected['notifications'][number]

const WHY: Record<NonNullable<Selected['skip_reason']>, string> = {
  no_device: t('This user had no phone to push to.'),
  signed_out: t('This user had signed out on every phone.'),
  opted_out: t('This user had switched notifications off.'),
  inactive: t('The account was not active.'),
  deleted: t('The account was deleted.'),
  too_big: t('The message was too big for a push.'),
  stopped: t('The send was stopped before this user was reached.'),
  stale: t('It was out of date before it could be sent.'),
  inbox_only: t('It went to inboxes alone, and no phone rings.'),
}

const OUTCOME_COLOURS = { notified: 'green', skipped: 'gray', waiting: 'blue' } as const

export function PersonOutcome({ of: { outcome, skip_reason: reason } }: { of: Selected }) {
  return (
    <>
      <Tag color={OUTCOME_COLOURS[outcome]}>{inWords(outcome)}</Tag>
      {reason !== null && (
        <Text size="xs" c="dimmed" miw={160}>
          {WHY[reason]}
        </Text>
      )}
    </>
  )
}

export function PhoneOutcomes({ of: { notifications } }: { of: Selected }) {
  return (
    <Stack gap={4}>
      {notifications.map((copy) => (
        <Group key={copy.id} gap="xs">
          <Text size="sm" component="div">
            {phoneWord(copy.platform)}: <PushOutcome push={copy} />
          </Text>
          {copy.error_message !== null && <Code>{copy.error_message}</Code>}
          {copy.possible_duplicates > 0 && (
            <Text size="xs" c="dimmed">
              {t('may have arrived {count} times', { count: copy.possible_duplicates + 1 })}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  )
}

/** The outcome of a push by the facts that are counted, and beside it what the phone said. */
function PushOutcome({ push }: { push: Push }) {
  const report = push.is_open ? undefined : describePhoneReport(push)
  return (
    <>
      {OUTCOMES[toOutcome(push)]}
      {report !== undefined && (
        <Text size="xs" c="dimmed">
          {report}
        </Text>
      )}
    </>
  )
}

function toOutcome({
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

function describePhoneReport({ shown_at: shownAt, dismissed_at: dismissedAt }: Push): string | undefined {
  if (dismissedAt !== null) return t('The phone says: dismissed')
  return shownAt === null ? undefined : t('The phone says: shown')
}

/** The state of a campaign in a word: one whose last pushes have no receipt yet is not called completed. */
export function campaignState({ status, counts }: Pick<Campaign, 'status' | 'counts'>): string {
  return status === 'completed' && counts.pending > 0 ? 'awaiting_receipts' : status
}
