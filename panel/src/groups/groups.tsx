import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { inWords, optionsOf, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { Filter, QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { UserLink } from '../common/people.tsx'
import { numberOf, t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/groups'>
type Group = Awaited<ReturnType<typeof loadGroups>>['data'][number]

function loadGroups(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/groups', { params: { query } }))
}

const COLUMNS: Column<Group, Query>[] = [
  {
    header: t('Group'),
    cell: ({ id, name, description }) => (
      <>
        <PageLink to={`/groups/${id}`}>{name}</PageLink>
        <div className="about one-line">{description}</div>
      </>
    ),
  },
  { header: t('State'), cell: ({ status }) => <State of={status} /> },
  {
    header: t('Who joins'),
    cell: ({ visibility, join_policy: policy }) => `${inWords(visibility)}, ${inWords(policy)}`,
  },
  {
    header: t('Owner'),
    cell: ({ owner }) => (owner === null ? t('a deleted account') : <UserLink id={owner.id} name={owner.name} />),
  },
  { header: t('Members'), isNumber: true, cell: ({ member_count: count }) => numberOf(count) },
  { header: t('Requests'), isNumber: true, cell: ({ pending_count: count }) => numberOf(count) },
  { sort: 'created_at', header: t('Made'), cell: ({ created_at: at }) => <Moment at={at} /> },
]

const FILTERS: Filter<Query>[] = [
  { name: 'status', label: t('State'), options: optionsOf<Group['status']>(['active', 'archived']) },
  { name: 'visibility', label: t('Visibility'), options: optionsOf<Group['visibility']>(['public', 'private']) },
]

/** All groups. */
export function GroupsPage() {
  return (
    <ListPage
      title={t('Groups')}
      about={t('Where people with the same interest meet.')}
      queryKey="groups"
      load={loadGroups}
      search={useSearch({ strict: false })}
      columns={COLUMNS}
      filters={FILTERS}
      searchLabel={t('Name or description')}
      rowKey={({ id }) => id}
      empty={{ title: t('No groups yet'), text: t('Groups appear here as soon as somebody makes one in the app.') }}
    />
  )
}
