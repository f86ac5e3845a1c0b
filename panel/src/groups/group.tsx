import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { Confirm } from '../common/confirm.tsx'
import { Facts } from '../common/facts.tsx'
import { inWords, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { UserLink } from '../common/people.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageHeader } from '../common/states.tsx'
import { useCall } from '../common/use-call.ts'
import { numberOf, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/groups/{id}'>
type Members = Awaited<ReturnType<typeof loadMembers>>
type Member = Members['data'][number]

function loadMembers(id: number, query: Query) {
  return bodyOf(api.GET('/api/admin/v1/groups/{id}', { params: { path: { id }, query } }))
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

/** One group: what it is, and everybody who is or was in it. */
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
  const [isAsking, asking] = useDisclosure(false)
  const archive = useCall(
    () => bodyOf(api.POST('/api/admin/v1/groups/{id}/archive', { params: { path: { id: group.id } }, body: {} })),
    { done: t('The group was archived.'), refresh: ['group', 'groups', `members-${group.id}`], isShown: true },
  )
  const { owner } = group
  return (
    <div>
      <PageHeader title={group.name} state={<State of={group.status} />} about={group.description ?? undefined}>
        {group.status === 'active' && (
          <Button color="red" variant="light" onClick={asking.open}>
            {t('Archive…')}
          </Button>
        )}
      </PageHeader>
      <Facts
        title={t('Facts')}
        facts={[
          [
            t('Owner'),
            owner === null ? t('a deleted account') : <UserLink key="owner" id={owner.id} name={owner.name} />,
          ],
          [t('Who joins'), `${inWords(group.visibility)}, ${inWords(group.join_policy)}`],
          [t('Members'), numberOf(group.member_count)],
          [t('Requests'), numberOf(group.pending_count)],
          [t('Made'), <Moment key="at" at={group.created_at} />],
        ]}
      />
      <Confirm
        isOpen={isAsking}
        close={asking.close}
        title={t('Archive {name}', { name: group.name })}
        word={group.name}
        label={t('Archive for good')}
        call={archive}
        confirm={() => archive.mutate(undefined, { onSuccess: asking.close })}
      >
        {t('Nobody can join or ask to join any more. An archived group cannot be opened again.')}
      </Confirm>
    </div>
  )
}
