import { Text } from '@mantine/core'
import { optionsOf } from '../common/labels.tsx'
import { t } from '../translation/translate.ts'

/** The states of a report, as a filter. */
export const STATUS_FILTER = {
  name: 'status' as const,
  label: t('State'),
  options: [
    { value: 'open,in_review' as const, label: t('undecided') },
    ...optionsOf(['open', 'in_review', 'actioned', 'dismissed']),
  ],
}

/** Why something was reported, with what the reporter wrote. */
export function ReportReason({ reason, details }: { reason: string; details: string | null }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {reason}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} maw={360}>
        {details}
      </Text>
    </>
  )
}
