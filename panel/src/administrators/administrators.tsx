import { Button, Stack } from '@mantine/core'
import { useSession } from '../api/session.ts'
import { AskButton } from '../common/ask-button.tsx'
import { DialogButton } from '../common/dialog-button.tsx'
import { inWords, toOptions, State, Tag } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import type { RowOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { t } from '../translation/translate.ts'
import { changeRole, GiveForm, REFRESHED } from './change-role.tsx'
import { RolesTable } from './roles-table.tsx'

const PATH = '/api/admin/v1/users'
const ROLES = ['analyst', 'moderator', 'admin', 'super_admin'] as const

type Administrator = RowOf<typeof PATH>

const AdministratorsList = listPage(PATH, {
  queryKey: 'administrators',
  query: { role: [...ROLES], sort_by: 'role', sort_order: 'desc' },
  columns: [
    { sort: 'name', header: t('Name'), cell: ({ id, name, email }) => <UserLink id={id} name={name} about={email} /> },
    { sort: 'role', header: t('Role'), cell: ({ role }) => <Tag color="cyan">{inWords(role)}</Tag> },
    { sort: 'status', header: t('Status'), cell: ({ status }) => <State of={status} /> },
    { sort: 'created_at', header: t('Registered'), cell: ({ created_at: at }) => <Moment at={at} /> },
    { header: t('Actions'), cell: (user) => <Change user={user} /> },
  ],
  filters: [{ name: 'role', label: t('Role'), options: toOptions(ROLES) }],
  searchLabel: t('Name, username, e-mail, phone'),
  empty: { title: t('Nobody'), text: t('Nobody has a role yet.') },
  actions: (
    <DialogButton variant="filled" opens={t('Give a role…')} heading={t('Give a role')}>
      {(close) => <GiveForm close={close} />}
    </DialogButton>
  ),
})

export function AdministratorsPage() {
  return (
    <Stack gap="xl">
      <AdministratorsList />
      <RolesTable />
    </Stack>
  )
}

function Change({ user }: { user: Administrator }) {
  const { name, username: word } = user
  if (useSession().id === user.id) return t('You yourself')
  return (
    <Button.Group>
      <DialogButton size="compact-sm" opens={t('Change…')} heading={t('Change the role of {name}', { name })}>
        {(close) => <GiveForm user={user} close={close} />}
      </DialogButton>
      <AskButton
        opens={t('Take away…')}
        title={t('Take the role of {name}', { name })}
        word={word}
        label={t('Take the role away')}
        done={t('The role was taken away.')}
        refresh={REFRESHED}
        call={() => changeRole({ user, role: 'user' })}
      >
        {t('All sessions end at once. The account stays, as an ordinary user of the app.')}
      </AskButton>
    </Button.Group>
  )
}
