import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { inWords, optionsOf, State, Tag } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { BulkActions } from './bulk-actions.tsx'

type User = Awaited<ReturnType<typeof loadUsers>>['data'][number]

function loadUsers(search: ListSearch) {
  return bodyOf(api.GET('/api/admin/v1/users', { params: { query: search as never } }))
}

const COLUMNS: Column<User>[] = [
  { sort: 'name', header: 'Name', cell: ({ id, name, email }) => <UserLink id={id} name={name} about={email} /> },
  {
    sort: 'status',
    header: 'Status',
    cell: ({ status, deleted_at }) => (deleted_at === null ? <State of={status} /> : <State of="deleted" />),
  },
  { sort: 'role', header: 'Role', cell: ({ role }) => inWords(role) },
  { header: 'Products', isNumber: true, cell: ({ counts }) => counts.products.toLocaleString() },
  { header: 'Swaps', isNumber: true, cell: ({ counts }) => counts.transactions.toLocaleString() },
  {
    header: 'Open reports',
    isNumber: true,
    cell: ({ counts: { open_reports: open } }) => (open === 0 ? '0' : <Tag color="orange">{open}</Tag>),
  },
  { header: 'Phones', isNumber: true, cell: ({ counts }) => counts.devices },
  { sort: 'last_active_at', header: 'Last active', cell: ({ last_active_at: at }) => <Moment at={at} none="never" /> },
  { sort: 'created_at', header: 'Registered', cell: ({ created_at: at }) => <Moment at={at} /> },
]

const FILTERS = [
  {
    name: 'status',
    label: 'Status',
    options: optionsOf<User['status']>(['active', 'inactive', 'suspended', 'banned']),
  },
  {
    name: 'role',
    label: 'Role',
    options: optionsOf<User['role']>(['user', 'analyst', 'moderator', 'admin', 'super_admin']),
  },
  {
    name: 'deleted',
    label: 'Deleted accounts',
    options: [
      { value: 'only', label: 'only deleted' },
      { value: 'include', label: 'with deleted' },
    ],
  },
]

/** All accounts. */
export function UsersPage() {
  const search = useSearch({ strict: false })
  return (
    <ListPage
      title="Users"
      about="Accounts of the app, and of its administrators."
      queryKey="users"
      load={loadUsers}
      search={search}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel="Name, username or e-mail"
      rowKey={({ id }) => id}
      empty={{ title: 'No users yet', text: 'Users appear here as soon as they register in the app.' }}
      actions={<ExportMenu search={search} />}
      selected={(selection) => <BulkActions selection={selection} />}
    />
  )
}

/** Downloads all users that match, not only this page. */
function ExportMenu({ search }: { search: ListSearch }) {
  const { permissions } = useSession()
  const { page: _page, per_page: _size, sort_by: _by, sort_order: _order, ...filter } = search
  const hrefOf = (format: string) =>
    `/api/admin/v1/users-export?${new URLSearchParams({ ...(filter as Record<string, string>), format })}`
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All users that match</Menu.Label>
        {!permissions.includes('users.contact') && (
          <Menu.Label>E-mail addresses and phone numbers are masked in files.</Menu.Label>
        )}
        {['csv', 'xlsx', 'json'].map((format) => (
          <Menu.Item key={format} component="a" href={hrefOf(format)} download>
            {format.toUpperCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
