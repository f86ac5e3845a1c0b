import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Modal } from '../common/modal.tsx'
import { api, bodyOf, ifVersion } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { Form, TextArea } from '../common/form.tsx'
import { inWords, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { NarrowedToPerson } from '../common/narrowed-to.tsx'
import { UserLink } from '../common/people.tsx'
import { heldBy, UNDOABLE, useDecisions } from '../desk/decisions.tsx'
import { Assignee } from './assignee.tsx'
import { reasonFilter, USER_REASONS } from './reasons.ts'
import { ReportReason, STATUS_FILTER } from './report-columns.tsx'
import { plural, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/report/reported-users'>
type Report = Awaited<ReturnType<typeof loadReports>>['data'][number]
type Action = 'suspend_user' | 'other' | 'dismiss'

function loadReports(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/report/reported-users', { params: { query } }))
}

const COLUMNS: Column<Report, Query>[] = [
  {
    header: t('User'),
    cell: ({ user }) => (
      <UserLink
        id={user.id}
        name={user.name}
        about={`@${user.username} · ${plural(user.undecided_count, 'one undecided report', '{count} undecided reports')}`}
      />
    ),
  },
  {
    header: t('Reason'),
    cell: ({ reason, details }) => <ReportReason reason={USER_REASONS[reason]} details={details} />,
  },
  {
    header: t('By'),
    cell: ({ reporter }) =>
      reporter === null ? t('a deleted account') : <UserLink id={reporter.user_id} name={`@${reporter.username}`} />,
  },
  { header: t('State'), cell: ({ status }) => <State of={status} /> },
  { sort: 'created_at', header: t('Reported'), cell: ({ created_at: at }) => <Moment at={at} /> },
  {
    header: t('Assigned to'),
    cell: (report) => <Assignee report={report} about="reported-users" shownBy="reported-users" />,
  },
  { header: t('Decision'), cell: (report) => <Decision report={report} /> },
]

const FILTERS: Filter<Query>[] = [STATUS_FILTER, reasonFilter(USER_REASONS)]

/** Reports of people about people. */
export function ReportedUsersPage() {
  const search: ListSearch = useSearch({ strict: false })
  const person = search['user_id']
  return (
    <ListPage
      title={t('Reported users')}
      about={t('Reports of people about people, newest first.')}
      queryKey="reported-users"
      load={loadReports}
      search={search}
      columns={COLUMNS}
      filters={FILTERS}
      tools={
        person !== undefined && (
          <NarrowedToPerson
            id={Number(person)}
            list="reported-users"
            findName={() => nameOf(Number(person))}
            label={(name) => t('Reports about {name}', { name })}
          />
        )
      }
      rowKey={({ id }) => id}
      empty={{ title: t('No reports'), text: t('Nobody has reported a person.') }}
    />
  )
}

async function nameOf(person: number): Promise<string | undefined> {
  return (await loadReports({ user_id: person, per_page: 1 })).data[0]?.user.name
}

function useResolve(report: Report) {
  const { add } = useDecisions()
  return useMutation({
    mutationFn: (body: { action: Action; note?: string }) =>
      heldBy(
        bodyOf(
          api.POST('/api/admin/v1/report/reported-users/{report_id}/resolve', {
            params: { path: { report_id: report.id }, query: UNDOABLE },
            body,
            headers: ifVersion(report.version),
          }),
        ),
      ),
    onSuccess: (decision, { action }) => {
      const title = `@${report.user.username}`
      const words = { title, done: TITLES[action] }
      add({
        kind: 'user_report',
        recordId: report.id,
        title,
        waiting: t('{title}: {done}. Nothing has happened yet.', words),
        done: t('{title}: {done}.', words),
        decision: Promise.resolve(decision),
      })
    },
  })
}

function Decision({ report }: { report: Report }) {
  const [action, setAction] = useState<Action>()
  const maySuspend = useMay('users')
  const { isDecided } = useDecisions()
  if (isDecided('user_report', report.id))
    return (
      <Text size="sm" c="dimmed">
        {t('Decided. Nobody is informed yet.')}
      </Text>
    )
  if (report.status === 'actioned' || report.status === 'dismissed')
    return (
      <Text size="sm" c="dimmed">
        {inWords(report.resolution ?? report.status)} <Moment at={report.resolved_at} none="" />
        {report.resolution_note !== null && ` · ${report.resolution_note}`}
      </Text>
    )
  return (
    <>
      <Button.Group>
        {maySuspend && (
          <Button size="compact-sm" color="red" variant="light" onClick={() => setAction('suspend_user')}>
            {t('Suspend…')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => setAction('other')}>
          {t('Dealt with…')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setAction('dismiss')}>
          {t('Dismiss…')}
        </Button>
      </Button.Group>
      <Modal opened={action !== undefined} onClose={() => setAction(undefined)} title={action && TITLES[action]}>
        {action && <DecisionForm report={report} action={action} close={() => setAction(undefined)} />}
      </Modal>
    </>
  )
}

const TITLES: Record<Action, string> = {
  suspend_user: t('Suspend the reported user'),
  other: t('This was dealt with elsewhere'),
  dismiss: t('Dismiss the report'),
}

const MEANS: Record<Action, string> = {
  suspend_user: t(
    'All sessions end at once, products are hidden, and no push is sent until the account is active again. The note is the reason that administrators see.',
  ),
  other: t('The report is marked as right. Nothing else happens.'),
  dismiss: t('The reported user gets no penalty.'),
}

function DecisionForm({ report, action, close }: { report: Report; action: Action; close: () => void }) {
  const [note, setNote] = useState('')
  const resolve = useResolve(report)
  return (
    <Form
      call={resolve}
      submit={() => resolve.mutate({ action, ...(note.trim() !== '' && { note: note.trim() }) }, { onSuccess: close })}
      label={t('Decide')}
      color={action === 'suspend_user' ? 'red' : 'cyan'}
    >
      <Text size="sm">{MEANS[action]}</Text>
      <TextArea label={t('Note')} maxLength={1_000} value={note} onType={setNote} data-autofocus />
    </Form>
  )
}
