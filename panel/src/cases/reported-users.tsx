import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Modal } from '../common/modal.tsx'
import { api, readBody, ifVersion } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { Form, TextArea } from '../common/form.tsx'
import { listPage } from '../common/list.tsx'
import { UserLink } from '../common/people.tsx'
import { UNDOABLE, useDecide } from './decisions.tsx'
import { reasonFilter, USER_REASONS, type UserReport } from './reasons.ts'
import { reportColumns, STATUS_FILTER } from './report-columns.tsx'
import { plural, t } from '../translation/translate.ts'

type Action = 'suspend_user' | 'other' | 'dismiss'

export const ReportedUsersPage = listPage('/api/admin/v1/report/reported-users', {
  queryKey: 'reported-users',
  columns: [
    {
      header: t('User'),
      cell: ({ user: { id, name, username, undecided_count: count } }) => (
        <UserLink
          id={id}
          name={name}
          about={`@${username} · ${plural(count, 'one undecided report', '{count} undecided reports')}`}
        />
      ),
    },
    ...reportColumns<UserReport>('reported-users', 'reported-users', USER_REASONS, (report) => (
      <Decision report={report} />
    )),
  ],
  filters: [STATUS_FILTER, reasonFilter(USER_REASONS)],
  ofPerson: {
    label: (name) => t('Reports about {name}', { name }),
    nameIn: ({ user }) => user.name,
  },
  empty: { title: t('No reports'), text: t('Nobody has reported a person.') },
})

function Decision({ report }: { report: UserReport }) {
  const [action, setAction] = useState<Action>()
  const maySuspend = useMay('users')
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

function DecisionForm({ report, action, close }: { report: UserReport; action: Action; close: () => void }) {
  const [note, setNote] = useState('')
  const title = `@${report.user.username}`
  const words = { title, done: TITLES[action] }
  const resolve = useDecide(
    (body: { action: Action; note?: string }) => {
      const params = { path: { report_id: report.id }, query: UNDOABLE }
      const call = { params, body, headers: ifVersion(report.version) }
      return readBody<{ data: unknown }>(api.POST('/api/admin/v1/report/reported-users/{report_id}/resolve', call))
    },
    () => ({
      kind: 'user_report',
      recordId: report.id,
      title,
      waiting: t('{title}: {done}. Nothing has happened yet.', words),
      done: t('{title}: {done}.', words),
    }),
  )
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
