import { Alert, Button, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, readBody } from '../api/client.ts'
import { showThatItWaits } from '../approvals/waits.ts'
import { ConfirmForm } from '../common/confirm.tsx'
import { DialogButton } from '../common/dialog-button.tsx'
import { inWords, toOptions, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { PageLink } from '../common/page-link.tsx'
import { UserLink } from '../common/people.tsx'
import { Loaded } from '../common/loaded.tsx'
import { Failure, PageHeader } from '../common/states.tsx'
import { formatNumber, plural, t } from '../translation/translate.ts'
import { whyNotChanged } from './not-changed.ts'

type Query = QueryOf<'/api/admin/v1/users-bulk/{id}/users'>
type Bulk = Awaited<ReturnType<typeof loadBulk>>
type Item = Awaited<ReturnType<typeof loadItems>>['data'][number]

async function loadBulk(id: number) {
  return (await readBody(api.GET('/api/admin/v1/users-bulk/{id}', { params: { path: { id } } }))).data
}

function loadItems(id: number, query: Query) {
  return readBody(api.GET('/api/admin/v1/users-bulk/{id}/users', { params: { path: { id }, query } }))
}

const TITLES: Record<Bulk['action'], string> = {
  suspend: t('Suspend accounts'),
  activate: t('Make accounts active'),
  delete: t('Delete accounts'),
  restore: t('Restore accounts'),
  undo: t('Take a change back'),
}

const COLUMNS: Column<Item, Query>[] = [
  {
    header: t('User'),
    cell: ({ user: { id, name, username } }) => <UserLink id={id} name={name} about={`@${username}`} />,
  },
  { header: t('Was'), cell: ({ from }) => <State of={from.deleted ? 'deleted' : from.status} /> },
  { header: t('Becomes'), cell: ({ to }) => <State of={to.deleted ? 'deleted' : to.status} /> },
  {
    header: t('Result'),
    cell: ({ outcome, code }) =>
      outcome === 'skipped' ? t('not changed: {why}', { why: whyNotChanged(code) }) : inWords(outcome),
  },
]

/** A bulk change: its accounts, its progress, the result of each, and the undo. */
export function BulkChangePage() {
  const id = Number(useParams({ strict: false }).id)
  const search = useSearch({ strict: false })
  const queries = useQueryClient()
  const bulk = useQuery({
    queryKey: ['bulk', id],
    queryFn: () => loadBulk(id),
    refetchInterval: ({ state }) => (state.data === undefined ? false : readPollInterval(state.data)),
  })
  const status = bulk.data?.status
  useEffect(() => {
    if (status === 'done') void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' })
  }, [queries, status])
  return (
    <Stack gap="lg">
      <Loaded of={bulk} pending={140}>
        {(data) => <Progressing bulk={data} />}
      </Loaded>
      <ListPage
        title={t('Accounts')}
        isPart
        about={t('The selected accounts, and the result for each.')}
        queryKey={`bulk-users-${id}`}
        load={(query) => loadItems(id, query)}
        search={search}
        columns={COLUMNS}
        filters={[
          {
            name: 'outcome',
            label: t('Result'),
            options: toOptions<Item['outcome']>(['waiting', 'changed', 'skipped']),
          },
        ]}
        rowKey={({ user }) => user.id}
        empty={{ title: t('Nobody'), text: t('No account is part of this change.') }}
      />
    </Stack>
  )
}

/** One that runs, or waits for an approval, changes without a press. */
function readPollInterval({ status, approval_id: approvalId }: Bulk): number | false {
  if (status === 'running') return 500
  return approvalId === null ? false : 5_000
}

function Progressing({ bulk }: { bulk: Bulk }) {
  const { status, selected, waiting, changed, skipped, reason } = bulk
  const left = Object.entries(skipped)
  return (
    <div>
      <PageHeader title={TITLES[bulk.action]} about={reason ?? undefined}>
        <Controls bulk={bulk} />
      </PageHeader>
      {status === 'prepared' ? (
        <Alert
          color={bulk.approval_id === null ? 'blue' : 'yellow'}
          title={t('{count} of {total} accounts will change', { count: waiting, total: selected })}
        >
          <Prepared bulk={bulk} />
        </Alert>
      ) : (
        <>
          <Progress.Root size="lg" mb="xs">
            <Progress.Section
              value={selected === 0 ? 100 : ((selected - waiting) / selected) * 100}
              animated={status === 'running'}
              aria-label={t('Share that is done')}
            />
          </Progress.Root>
          <Text className="figure" role="status">
            {status === 'done'
              ? plural(changed, 'Done: {count} changed', 'Done: {count} changed')
              : plural(changed, '{count} changed, {left} to go', '{count} changed, {left} to go', { left: waiting })}
          </Text>
        </>
      )}
      {left.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('Not changed: {reasons}.', {
            reasons: left.map(([code, count]) => `${formatNumber(count)} ${whyNotChanged(code)}`).join('; '),
          })}
        </Text>
      )}
    </div>
  )
}

function Prepared({ bulk: { needs_approval: needsApproval, approval_id: approvalId } }: { bulk: Bulk }) {
  if (approvalId !== null)
    return (
      <>
        {t('This waits for a second administrator. Nothing is done yet.')}{' '}
        <PageLink to="/approvals?status=waiting">{t('See the request')}</PageLink>
      </>
    )
  return needsApproval
    ? t('Nothing is changed yet. A second administrator must approve it. Ask for that within an hour.')
    : t('Nothing is changed yet. Start it within an hour.')
}

const CALLS = { start: '/api/admin/v1/users-bulk/{id}/start', undo: '/api/admin/v1/users-bulk/{id}/undo' } as const

function Controls({ bulk }: { bulk: Bulk }) {
  const { id, status, action, waiting, changed } = bulk
  const queries = useQueryClient()
  const navigate = useNavigate()
  const call = useMutation({
    mutationFn: (what: keyof typeof CALLS) => readBody(api.POST(CALLS[what], { params: { path: { id } }, body: {} })),
    onSuccess: async ({ data }) => {
      if ('approval' in data) {
        showThatItWaits()
        return queries.invalidateQueries({ queryKey: ['bulk', id] })
      }
      queries.setQueryData(['bulk', data.id], data)
      if (data.id !== id) void navigate({ to: '/users/bulk/$id', params: { id: String(data.id) }, search: {} })
    },
  })
  const label = bulk.needs_approval ? t('Ask for approval') : t('Start')
  const start = (close?: () => void) => call.mutate('start', { ...(close && { onSuccess: close }) })
  return (
    <>
      {call.error !== null && <Failure thrown={call.error} />}
      {status === 'prepared' && waiting > 0 && bulk.approval_id === null && (
        <Start action={action} count={waiting} label={label} call={call} start={start} />
      )}
      {status === 'done' && action !== 'undo' && changed > 0 && (
        <Button variant="default" loading={call.isPending} onClick={() => call.mutate('undo')}>
          {t('Take it back')}
        </Button>
      )}
    </>
  )
}

type StartProps = {
  action: Bulk['action']
  count: number
  label: string
  call: { isPending: boolean; error: unknown }
  start: (close?: () => void) => void
}

/** Begins at a press; where accounts are deleted, after their number was typed. */
function Start({ action, count, label, call, start }: StartProps) {
  if (action !== 'delete')
    return (
      <Button loading={call.isPending} onClick={() => start()}>
        {label}
      </Button>
    )
  return (
    <DialogButton
      variant="filled"
      color="red"
      opens={label}
      heading={plural(count, 'Delete one account', 'Delete {count} accounts')}
    >
      {(close) => (
        <ConfirmForm word={String(count)} label={t('Delete the accounts')} call={call} confirm={() => start(close)}>
          {t(
            'They get no pushes from now on. They can be restored for 30 days, and you can undo this change for 7 days.',
          )}
        </ConfirmForm>
      )}
    </DialogButton>
  )
}
