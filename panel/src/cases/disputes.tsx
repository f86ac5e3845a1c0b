import { Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/disputes'>
type Open = Awaited<ReturnType<typeof loadDisputes>>['data'][number]

function loadDisputes(query: Query) {
  return bodyOf(api.GET('/api/admin/v1/disputes', { params: { query } }))
}

const COLUMNS: Column<Open, Query>[] = [
  {
    header: t('Swap'),
    cell: ({ swap: { id, requester, owner } }) => (
      <>
        <PageLink to={`/swaps/${id}`}>{t('no. {id}', { id: String(id) })}</PageLink>
        <div className="about">
          {t('{one} and {other}', {
            one: requester?.name ?? t('a deleted account'),
            other: owner?.name ?? t('a deleted account'),
          })}
        </div>
      </>
    ),
  },
  {
    header: t('Reason'),
    cell: ({ reason }) => (
      <Text size="sm" lineClamp={2} maw={420} style={{ overflowWrap: 'anywhere' }}>
        {reason ?? '–'}
      </Text>
    ),
  },
  { header: t('Waits since'), cell: ({ opened_at: at }) => <Moment at={at} /> },
]

/** The disputes that wait for an administrator, the longest first. */
export function DisputesPage() {
  return (
    <ListPage
      title={t('Disputes')}
      about={t('Swaps about which two people disagree, longest waiting first.')}
      queryKey="disputes"
      load={loadDisputes}
      search={useSearch({ strict: false })}
      columns={COLUMNS}
      rowKey={({ swap }) => swap.id}
      empty={{ title: t('No dispute is open'), text: t('When two people disagree about a swap, it appears here.') }}
    />
  )
}
