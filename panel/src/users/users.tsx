import { Button, Menu } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { inWords, toOptions, State, Tag } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { QueryOf } from '../common/list-query.ts'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { part } from '../common/loaded.tsx'
import { useCall } from '../common/use-call.ts'
import { formatNumber, t } from '../translation/translate.ts'

// What is done with selected accounts is no part of the first list that a browser loads.
const BulkActions = part('bulk-actions', async () => (await import('./bulk-actions.tsx')).BulkActions)

export const UsersPage = listPage('/api/admin/v1/users', {
  queryKey: 'users',
  columns: [
    { sort: 'name', header: t('Name'), cell: ({ id, name, email }) => <UserLink id={id} name={name} about={email} /> },
    {
      sort: 'status',
      header: t('Status'),
      cell: ({ status, deleted_at }) => (deleted_at === null ? <State of={status} /> : <State of="deleted" />),
    },
    { sort: 'role', header: t('Role'), cell: ({ role }) => inWords(role) },
    { header: t('Products'), isNumber: true, cell: ({ counts }) => formatNumber(counts.products) },
    { header: t('Swaps'), isNumber: true, cell: ({ counts }) => formatNumber(counts.transactions) },
    {
      header: t('Open reports'),
      isNumber: true,
      cell: ({ counts: { open_reports: open } }) => (open === 0 ? '0' : <Tag color="orange">{open}</Tag>),
    },
    { header: t('Phones'), isNumber: true, cell: ({ counts }) => counts.devices },
    {
      sort: 'last_active_at',
      header: t('Last in the app'),
      cell: ({ last_active_at: at }) => <Moment at={at} none={t('never')} />,
    },
    { sort: 'created_at', header: t('Registered'), cell: ({ created_at: at }) => <Moment at={at} /> },
  ],
  filters: [
    {
      name: 'status',
      label: t('Status'),
      options: toOptions(['active', 'inactive', 'suspended', 'banned']),
    },
    {
      name: 'role',
      label: t('Role'),
      options: toOptions(['user', 'analyst', 'moderator', 'admin', 'super_admin']),
    },
    {
      name: 'deleted',
      label: t('Deleted accounts'),
      options: [
        { value: 'only', label: t('only deleted') },
        { value: 'include', label: t('with deleted') },
      ],
    },
  ],
  hasColumnChoice: true,
  searchLabel: t('Name, username, e-mail, phone'),
  empty: { title: t('No users yet'), text: t('Users appear here as soon as they register in the app.') },
  actions: (
    <>
      <ExportMenu />
      <Button component={Link} to="/users/new" leftSection={<IconPlus size={16} />}>
        {t('Add a user')}
      </Button>
    </>
  ),
  selected: (selection) => <BulkActions selection={selection} />,
})

/** Asks for a file of all users that match, not only of this page. */
function ExportMenu() {
  const search: ListSearch = useSearch({ strict: false })
  const hasContacts = useMay('users.contact')
  const navigate = useNavigate()
  const { page: _page, per_page: _size, sort_by: _by, sort_order: _order, columns: _columns, ...filter } = search
  const ask = useCall(
    (format: 'csv' | 'xlsx' | 'json') =>
      readBody(
        api.POST('/api/admin/v1/users-export', {
          params: { query: { ...(filter as QueryOf<'/api/admin/v1/users'>), format } },
          body: null,
        }),
      ),
    { done: t('The export has begun.'), refresh: ['exports'] },
  )
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('All users that match')}</Menu.Label>
        {!hasContacts && <Menu.Label>{t('E-mail addresses and phone numbers are masked in files.')}</Menu.Label>}
        {(['csv', 'xlsx', 'json'] as const).map((format) => (
          <Menu.Item
            key={format}
            onClick={() => ask.mutate(format, { onSuccess: () => void navigate({ to: '/exports', search: {} }) })}
          >
            {format.toUpperCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
