import { Button, Group, Text, Stack } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { Form, TextArea } from '../common/form.tsx'
import { inWords, toOptions, State } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { RowOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { UserLink } from '../common/people.tsx'
import { Failure } from '../common/states.tsx'
import { tellDone } from '../common/tell.ts'
import { plural, translateText, t } from '../translation/translate.ts'

const PATH = '/api/admin/approvals'
type Approval = RowOf<typeof PATH>

/** Requests that wait for a second administrator, and decided ones. */
export const ApprovalsPage = listPage(PATH, {
  queryKey: 'approvals',
  columns: [
    { header: t('What'), cell: (approval) => <What approval={approval} /> },
    {
      header: t('Asked by'),
      cell: ({ asked_by, created_at }) => (
        <>
          {asked_by?.name ?? t('a deleted account')}
          <Text size="xs" c="dimmed">
            <Moment at={created_at} />
          </Text>
        </>
      ),
    },
    {
      header: t('Status'),
      cell: ({ status, decided_by, reason }) => (
        <>
          <State of={status} />
          {decided_by !== null && (
            <Text size="xs" c="dimmed">
              {decided_by.name}
              {reason !== null && `: ${reason}`}
            </Text>
          )}
        </>
      ),
    },
    { header: t('Until'), cell: ({ expires_at: at }) => <Moment at={at} /> },
    { header: t('Decision'), cell: (approval) => approval.status === 'waiting' && <Decision approval={approval} /> },
  ],
  filters: [{ name: 'status', label: t('Status'), options: toOptions(['waiting', 'approved', 'refused', 'expired']) }],
  empty: { title: t('Nothing waits'), text: t('Requests that a second administrator must approve appear here.') },
})

/** All that will be done, so that nobody approves what they have not read. */
function What({ approval: { id, send, bulk, account } }: { approval: Approval }) {
  return (
    <Stack gap={2} maw={420} style={{ overflowWrap: 'anywhere' }}>
      {send !== null && (
        <>
          <Text fw={600}>{plural(send.recipients, 'Send to one user', 'Send to {count} users')}</Text>
          {send.inbox_only && <Text size="sm">{t('To the inbox only')}</Text>}
          <Text size="sm">{send.title}</Text>
          <Text size="sm">{send.text}</Text>
          {Object.entries(send.texts ?? {}).map(([tag, words]) => (
            <Text size="sm" key={tag} lang={tag}>
              {tag}: {words.title} · {words.text}
            </Text>
          ))}
          {send.data !== null && (
            <Text size="xs" c="dimmed">
              {JSON.stringify(send.data)}
            </Text>
          )}
          {send.users !== null && <Named approvalId={id} users={send.users} count={send.recipients} />}
        </>
      )}
      {bulk !== null && (
        <>
          <PageLink to={`/users/bulk/${bulk.id}`}>
            {translateText(bulk.action)}: {plural(bulk.accounts, 'one account', '{count} accounts')}
          </PageLink>
          {bulk.reason !== null && <Text size="sm">{bulk.reason}</Text>}
        </>
      )}
      {account !== null && <AccountChange account={account} />}
    </Stack>
  )
}

function AccountChange({
  account: { user_id: id, name, fields, password },
}: {
  account: NonNullable<Approval['account']>
}) {
  return (
    <>
      <PageLink to={`/users/${id}`}>{name ?? t('a deleted account')}</PageLink>
      {fields === null && <Text size="sm">{t('The deleted account is restored')}</Text>}
      {Object.entries(fields ?? {}).map(([field, value]) => (
        <Text size="sm" key={field}>
          {inWords(field)}: {field === 'role' || field === 'status' ? translateText(String(value)) : String(value)}
        </Text>
      ))}
      {password && <Text size="sm">{t('It gets a new password')}</Text>}
    </>
  )
}

type NamedProps = { approvalId: number; users: { id: number; name: string | null }[]; count: number }

/** Whom a send names: the first of them, and the others at a click. */
function Named({ approvalId: id, users, count }: NamedProps) {
  const [isOpen, setOpen] = useState(false)
  const all = useInfiniteQuery({
    queryKey: ['approval-users', id],
    queryFn: ({ pageParam: page }) =>
      readBody(
        api.GET('/api/admin/approvals/{id}/users', { params: { path: { id }, query: { page, per_page: 100 } } }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { current_page: page, total_pages: pages } }) =>
      page < pages ? page + 1 : undefined,
    enabled: isOpen,
  })
  const visible = all.data?.pages.flatMap(({ data }) => data) ?? users
  return (
    <>
      {all.error !== null && <Failure thrown={all.error} />}
      <Text size="sm" lh={1.8} component="ul" m={0} pl="md" style={{ columns: 2 }} aria-label={t('To whom')}>
        {visible.map(({ id: userId, name }) => (
          <li key={userId}>{name === null ? t('a deleted account') : <UserLink id={userId} name={name} />}</li>
        ))}
      </Text>
      {count > visible.length && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={all.isFetching}
          onClick={() => (isOpen ? void all.fetchNextPage() : setOpen(true))}
        >
          {plural(count - visible.length, 'one more user', '{count} more users')}
        </Button>
      )}
    </>
  )
}

function Decision({ approval: { id, pin, asked_by } }: { approval: Approval }) {
  const isOwn = useSession().id === asked_by?.id
  const params = { path: { id } }
  const approve = useDecision(
    () => readBody(api.POST('/api/admin/approvals/{id}/approve', { params, body: { pin } })),
    t('It was approved and is done.'),
  )
  const word = isOwn ? t('Withdraw') : t('Refuse')
  return (
    <>
      {approve.error !== null && <Failure thrown={approve.error} />}
      <Group gap="xs" wrap="nowrap">
        {!isOwn && (
          <Button size="compact-sm" loading={approve.isPending} onClick={() => approve.mutate()}>
            {t('Approve')}
          </Button>
        )}
        <DialogButton size="compact-sm" opens={word} heading={word}>
          {(close) => <RefuseForm id={id} label={isOwn ? t('Withdraw it') : t('Refuse it')} close={close} />}
        </DialogButton>
      </Group>
    </>
  )
}

function RefuseForm({ id, label, close }: { id: number; label: string; close: () => void }) {
  const [reason, setReason] = useState('')
  const refuse = useDecision(() => {
    const body = reason.trim() === '' ? {} : { reason: reason.trim() }
    return readBody(api.POST('/api/admin/approvals/{id}/refuse', { params: { path: { id } }, body }))
  }, t('It was refused and is not done.'))
  return (
    <Form call={refuse} submit={() => refuse.mutate(undefined, { onSuccess: close })} label={label} color="red">
      <TextArea label={t('Reason')} maxLength={1000} value={reason} onType={setReason} data-autofocus />
    </Form>
  )
}

/** Any page may be out of date afterwards, because the request may have changed anything. */
function useDecision(decide: () => Promise<unknown>, done: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: decide,
    onSuccess: () => {
      tellDone(done)
      return queries.invalidateQueries()
    },
  })
}
