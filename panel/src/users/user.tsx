import { SimpleGrid, Stack, Table, Tabs, Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { ByLine } from '../common/by-line.tsx'
import { Facts } from '../common/facts.tsx'
import { inWords, phoneWord, State } from '../common/labels.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageLink } from '../common/page-link.tsx'
import { PageHeader, SkeletonRows } from '../common/states.tsx'
import { SignInHelp, UserSessions } from './sign-in-help.tsx'
import { UserActions } from './user-actions.tsx'
import { UserMessages } from './user-messages.tsx'
import { t } from '../translation/translate.ts'

export type Profile = Awaited<ReturnType<typeof loadProfile>>

async function loadProfile(id: number) {
  return (await bodyOf(api.GET('/api/admin/v1/user-profile', { params: { query: { id } } }))).data
}

/** One account: its profile, its records, the outcomes of its pushes. */
export function UserPage() {
  const id = Number(useParams({ strict: false }).id)
  const user = useQuery({ queryKey: ['user', id], queryFn: () => loadProfile(id) })
  return (
    <Loaded
      of={user}
      pending={
        <Table aria-busy>
          <Table.Tbody>
            <SkeletonRows columns={2} />
          </Table.Tbody>
        </Table>
      }
    >
      {(data) => <Known user={data} />}
    </Loaded>
  )
}

function Known({ user: data }: { user: Profile }) {
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
          <History user={data} />
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
          [t('Last active'), <Moment key="at" at={user.last_active_at} none={t('never')} />],
          [t('Test user'), user.is_test_user ? t('yes') : t('no')],
          ...(user.status_reason === null ? [] : [[t('Reason'), user.status_reason] as const]),
          ...(user.suspended_until === null
            ? []
            : [[t('Suspended until'), <Moment key="at" at={user.suspended_until} />] as const]),
        ]}
      />
      <Facts
        title={t('In the marketplace')}
        facts={[
          [
            t('Products'),
            mayProducts ? (
              <PageLink key="p" to={`/products?user_id=${user.id}`}>
                {products}
              </PageLink>
            ) : (
              products
            ),
          ],
          [
            t('Swaps'),
            maySwaps ? (
              <PageLink key="s" to={`/swaps?user_id=${user.id}`}>
                {transactions}
              </PageLink>
            ) : (
              transactions
            ),
          ],
          [t('Open reports'), reports],
          ...(maySwaps
            ? [
                [
                  t('Report'),
                  <PageLink key="r" to={`/users/${user.id}/report`}>
                    {t('Totals, swaps and reports')}
                  </PageLink>,
                ] as const,
              ]
            : []),
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

function History({ user }: { user: Profile }) {
  const mayAudit = useMay('audit')
  return (
    <Stack>
      {mayAudit && (
        <div>
          <PageLink to={`/audit?entity=user&entity_id=${user.id}`}>{t('Every change, in the audit log')}</PageLink>
        </div>
      )}
      <Statuses user={user} />
    </Stack>
  )
}

function Statuses({ user }: { user: Profile }) {
  if (user.history.length === 0) return <Text c="dimmed">{t('The status of this account has never changed.')}</Text>
  return (
    <Timeline bulletSize={14}>
      {user.history.map(({ from_state, to_state, actor, note, at }) => (
        <Timeline.Item
          key={`${at}-${to_state}`}
          title={`${from_state === null ? t('new') : inWords(from_state)} → ${inWords(to_state)}`}
        >
          <ByLine actor={actor} note={note} at={at} />
        </Timeline.Item>
      ))}
    </Timeline>
  )
}
