import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { AskButton } from '../common/ask-button.tsx'
import { Facts } from '../common/facts.tsx'
import { inWords, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { Person, UserLink } from '../common/people.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageHeader } from '../common/states.tsx'
import { formatNumber, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/groups/{id}'>
type Members = Awaited<ReturnType<typeof loadMembers>>
type Member = Members['data'][number]

function loadMembers(id: number, query: Query) {
  return readBody(api.GET('/api/admin/v1/groups/{id}', { params: { path: { id }, query } }))
}

const COLUMNS: Column<Member, Query>[] = [
  {
    header: t('Member'),
    cell: ({ user_id: id, name, username }) => <UserLink id={id} name={name} about={`@${username}`} />,
  },
  { header: t('Role'), cell: ({ role }) => inWords(role) },
  { header: t('State'), cell: ({ status }) => <State of={status} /> },
  { header: t('Asked'), cell: ({ requested_at: at }) => <Moment at={at} /> },
  { header: t('Decided'), cell: ({ decided_at: at }) => <Moment at={at} /> },
]

export function GroupPage() {
  const id = Number(useParams({ strict: false }).id)
  const search = useSearch({ strict: false })
  const group = useQuery({
    queryKey: ['group', id],
    queryFn: async () => (await loadMembers(id, { per_page: 1 })).group,
  })
  return (
    <Stack gap="lg">
      <Loaded of={group} pending={220}>
        {(data) => <About group={data} />}
      </Loaded>
      <ListPage
        title={t('Members')}
        isPart
        about={t('Present and former members.')}
        queryKey={`members-${id}`}
        load={(query) => loadMembers(id, query)}
        search={search}
        columns={COLUMNS}
        rowKey={({ user_id: userId }) => userId}
        empty={{ title: t('Nobody'), text: t('Nobody is in this group.') }}
      />
    </Stack>
  )
}

function About({ group }: { group: Members['group'] }) {
  const { id, name, owner, visibility, join_policy: policy } = group
  return (
    <div>
      <PageHeader title={name} state={<State of={group.status} />} about={group.description ?? undefined}>
        {group.status === 'active' && (
          <AskButton
            opens={t('Archive…')}
            button={{ size: 'sm', color: 'red', variant: 'light' }}
            title={t('Archive {name}', { name })}
            word={name}
            label={t('Archive for good')}
            done={t('The group was archived.')}
            refresh={['group', 'groups', `members-${id}`]}
            call={() => readBody(api.POST('/api/admin/v1/groups/{id}/archive', { params: { path: { id } }, body: {} }))}
          >
            {t('Nobody can join or ask to join any more. An archived group cannot be opened again.')}
          </AskButton>
        )}
      </PageHeader>
      <Facts
        title={t('Facts')}
        facts={[
          [t('Owner'), <Person key="owner" of={owner} />],
          [t('Who joins'), `${inWords(visibility)}, ${inWords(policy)}`],
          [t('Members'), formatNumber(group.member_count)],
          [t('Requests'), formatNumber(group.pending_count)],
          [t('Made'), <Moment key="at" at={group.created_at} />],
        ]}
      />
    </div>
  )
}
