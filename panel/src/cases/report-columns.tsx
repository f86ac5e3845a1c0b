import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { inWords, toOptions, State } from '../common/labels.tsx'
import type { Column } from '../common/list-rows.tsx'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { t } from '../translation/translate.ts'
import { Assignee } from './assignee.tsx'
import { useDecisions } from './decisions.tsx'
import type { ProductReport, UserReport } from './reasons.ts'

type Report = ProductReport | UserReport
type Subject = 'reported-product' | 'reported-users'

export const STATUS_FILTER = {
  name: 'status' as const,
  label: t('State'),
  options: [
    { value: 'open,in_review' as const, label: t('undecided') },
    ...toOptions(['open', 'in_review', 'actioned', 'dismissed']),
  ],
}

/** The columns of a list of reports: why, by whom, since when, who has it, and what is decided. */
export function reportColumns<Row extends Report>(
  about: Subject,
  /** The first word of the key of the list's query. */
  queryKey: string,
  reasons: Record<Row['reason'], string>,
  decide: (report: Row) => ReactNode,
): Column<Row, { sort_by?: 'created_at' }>[] {
  return [
    {
      header: t('Reason'),
      cell: ({ reason, details }) => (
        <>
          <Text size="sm" fw={500}>
            {reasons[reason as Row['reason']]}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} maw={360}>
            {details}
          </Text>
        </>
      ),
    },
    {
      header: t('By'),
      cell: ({ reporter }) =>
        reporter === null ? t('a deleted account') : <UserLink id={reporter.user_id} name={`@${reporter.username}`} />,
    },
    { header: t('State'), cell: ({ status }) => <State of={status} /> },
    { sort: 'created_at', header: t('Reported'), cell: ({ created_at: at }) => <Moment at={at} /> },
    { header: t('Assigned to'), cell: (report) => <Assignee {...{ report, about, queryKey }} /> },
    { header: t('Decision'), cell: (report) => <Decision {...{ report, about }}>{decide(report)}</Decision> },
  ]
}

type DecisionProps = { report: Report; about: Subject; children: ReactNode }

/** What was decided; before that, the buttons that decide. */
function Decision({ report, about, children }: DecisionProps) {
  const { id, status, resolution, resolution_note: note, resolved_at: at } = report
  const { isDecided } = useDecisions()
  const isWaiting = isDecided(about === 'reported-product' ? 'report' : 'user_report', id)
  if (!isWaiting && status !== 'actioned' && status !== 'dismissed') return children
  return (
    <Text size="sm" c="dimmed">
      {isWaiting ? (
        t('Decided. Nobody is informed yet.')
      ) : (
        <>
          {inWords(resolution ?? status)} <Moment at={at} none="" />
          {about === 'reported-users' && note !== null && ` · ${note}`}
        </>
      )}
    </Text>
  )
}
