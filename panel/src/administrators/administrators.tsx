import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { inWords, optionsOf, State, Tag } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { t } from '../translation/translate.ts'
import { GiveRole, TakeRole } from './change-role.tsx'
import { RolesTable } from './roles-table.tsx'

const ROLES = ['analyst', 'moderator', 'admin', 'super_admin'] as const

type Query = QueryOf<'/api/admin/v1/users'>
export type Administrator = Awaited<ReturnType<typeof loadAdministrators>>['data'][number]

function loadAdministrators(query: Query) {
  const shown: Query = { role: [...ROLES], sort_by: 'role', sort_order: 'desc', ...query }
  return bodyOf(api.GET('/api/admin/v1/users', { params: { query: shown } }))
}

const COLUMNS: Column<Administrator, Query>[] = [
  { sort: 'name', header: t('Name'), cell: ({ id, name, email }) => <UserLink id={id} name={name} about={email} /> },
  { sort: 'role', header: t('Role'), cell: ({ role }) => <Tag color="cyan">{inWords(role)}</Tag> },
  { sort: 'status', header: t('Status'), cell: ({ status }) => <State of={status} /> },
  {
    sort: 'last_active_at',
    header: t('Last active'),
    cell: ({ last_active_at: at }) => <Moment at={at} none={t('never')} />,
  },
  { sort: 'created_at', header: t('Registered'), cell: ({ created_at: at }) => <Moment at={at} /> },
  { header: t('Actions'), cell: (user) => <Change user={user} /> },
]

const FILTERS: Filter<Query>[] = [
  {
    name: 'role',
    label: t('Role'),
    options: optionsOf(ROLES),
  },
]

/** Who works in this panel, and who may do what. */
export function AdministratorsPage() {
  const [isGiving, giving] = useDisclosure(false)
  return (
    <Stack gap="xl">
      <ListPage
        title={t('Administrators')}
        about={t('Everybody with a role in this panel.')}
        queryKey="administrators"
        load={loadAdministrators}
        search={useSearch({ strict: false })}
        columns={COLUMNS}
        filters={FILTERS}
        searchLabel={t('Name, username, e-mail or phone')}
        rowKey={({ id }) => id}
        empty={{ title: t('Nobody'), text: t('Nobody has a role yet.') }}
        actions={<Button onClick={giving.open}>{t('Give a role…')}</Button>}
      />
      <RolesTable />
      <GiveRole isOpen={isGiving} close={giving.close} user={undefined} />
    </Stack>
  )
}

function Change({ user }: { user: Administrator }) {
  const [isTaking, taking] = useDisclosure(false)
  const [isGiving, giving] = useDisclosure(false)
  if (useSession().id === user.id) return t('You yourself')
  return (
    <Button.Group>
      <Button size="compact-sm" variant="default" onClick={giving.open}>
        {t('Change…')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={taking.open}>
        {t('Take away…')}
      </Button>
      <GiveRole isOpen={isGiving} close={giving.close} user={user} />
      <TakeRole isOpen={isTaking} close={taking.close} user={user} />
    </Button.Group>
  )
}
