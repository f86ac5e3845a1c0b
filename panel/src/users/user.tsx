import { SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { Facts } from '../common/facts.tsx'
import { History } from '../common/history.tsx'
import { inWords, phoneWord, State } from '../common/labels.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { recordPage } from '../common/record-page.tsx'
import { PageHeader } from '../common/states.tsx'
import { SignInHelp, UserSessions } from './sign-in-help.tsx'
import { UserActions } from './user-actions.tsx'
import { UserMessages } from './user-messages.tsx'
import { t } from '../translation/translate.ts'

export type Profile = Awaited<ReturnType<typeof loadProfile>>

async function loadProfile(id: number) {
  return (await readBody(api.GET('/api/admin/v1/user-profile', { params: { query: { id } } }))).data
}

export const UserPage = recordPage('user', loadProfile, Known)

function Known({ data }: { data: Profile }) {
  const maySend = useMay('campaigns')
  const mayManage = useMay('users')
  const { tab = 'profile' }: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <Stack>
      <PageHeader
        title={data.name}
        state={<State of={data.deleted_at === null ? data.status : 'deleted'} />}
        about={`@${data.username} · ${inWords(data.role)} · ${t('no. {id}', { id: String(data.id) })}`}
      >
        {mayManage && <UserActions user={data} />}
      </PageHeader>
      <Tabs
        value={String(tab)}
        onChange={(chosen) =>
          void navigate({ to: '.', search: chosen === 'profile' || chosen === null ? {} : { tab: chosen } })
        }
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="profile">{t('Profile')}</Tabs.Tab>
          {maySend && <Tabs.Tab value="messages">{t('Pushes')}</Tabs.Tab>}
          <Tabs.Tab value="history">{t('History')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile" pt="md">
          <ProfileTab user={data} />
        </Tabs.Panel>
        <Tabs.Panel value="messages" pt="md">
          <UserMessages userId={data.id} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <HistoryTab user={data} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function ProfileTab({ user }: { user: Profile }) {
  const maySwaps = useMay('reports')
  const mayProducts = useMay('products')
  const { products, transactions, open_reports: reports } = user.counts
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Facts
        title={t('Account')}
        facts={[
          [t('E-mail'), `${user.email}${user.email_verified ? '' : ` (${t('not confirmed')})`}`],
          [t('Phone'), user.phone],
          [t('City'), user.city],
          [t('Registered'), <Moment key="at" at={user.created_at} />],
          [t('Last in the app'), <Moment key="at" at={user.last_active_at} none={t('never')} />],
          [t('Test user'), user.is_test_user ? t('yes') : t('no')],
          user.status_reason !== null && [t('Reason'), user.status_reason],
          user.suspended_until !== null && [t('Suspended until'), <Moment key="at" at={user.suspended_until} />],
        ]}
      />
      <Facts
        title={t('In the marketplace')}
        facts={[
          [t('Products'), mayProducts ? linkTo(`/products?user_id=${user.id}`, products) : products],
          [t('Swaps'), maySwaps ? linkTo(`/swaps?user_id=${user.id}`, transactions) : transactions],
          [t('Open reports'), reports],
          maySwaps && [t('Report'), linkTo(`/users/${user.id}/report`, t('Totals, swaps and reports'))],
          [
            t('Subscription'),
            user.subscription === null ? t('none') : `${user.subscription.plan}, ${inWords(user.subscription.status)}`,
          ],
        ]}
      />
      <Facts
        title={t('Phones')}
        facts={
          user.devices.length === 0
            ? [[t('None'), t('No push reaches this user.')]]
            : user.devices.map(({ platform, last_seen_at }) => [
                phoneWord(platform),
                <Moment key="at" at={last_seen_at} />,
              ])
        }
      />
      <SignInHelp user={user} />
      <UserSessions user={user} />
    </SimpleGrid>
  )
}

function linkTo(page: string, text: string | number) {
  return (
    <PageLink key={page} to={page}>
      {text}
    </PageLink>
  )
}

function HistoryTab({ user }: { user: Profile }) {
  const mayAudit = useMay('audit')
  const changes = user.history.map(({ from_state: from, to_state: to, ...change }) => ({ ...change, from, to }))
  return (
    <Stack>
      {mayAudit && (
        <div>
          <PageLink to={`/audit?entity=user&entity_id=${user.id}`}>{t('Every change, in the audit log')}</PageLink>
        </div>
      )}
      {changes.length === 0 ? (
        <Text c="dimmed">{t('The status of this account has never changed.')}</Text>
      ) : (
        <History changes={changes} />
      )}
    </Stack>
  )
}
