import { inWords, toOptions, State } from '../common/labels.tsx'
import { listPage } from '../common/list.tsx'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { Person } from '../common/people.tsx'
import { formatNumber, t } from '../translation/translate.ts'

export const GroupsPage = listPage('/api/admin/v1/groups', {
  queryKey: 'groups',
  columns: [
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
    { header: t('Owner'), cell: ({ owner }) => <Person of={owner} /> },
    { header: t('Members'), isNumber: true, cell: ({ member_count: count }) => formatNumber(count) },
    { header: t('Requests'), isNumber: true, cell: ({ pending_count: count }) => formatNumber(count) },
    { sort: 'created_at', header: t('Made'), cell: ({ created_at: at }) => <Moment at={at} /> },
  ],
  filters: [
    { name: 'status', label: t('State'), options: toOptions(['active', 'archived']) },
    { name: 'visibility', label: t('Visibility'), options: toOptions(['public', 'private']) },
  ],
  searchLabel: t('Name or description'),
  empty: { title: t('No groups yet'), text: t('Groups appear here as soon as somebody makes one in the app.') },
})
