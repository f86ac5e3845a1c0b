import { Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { ListSearch } from '../common/list-search.ts'
import { Moment } from '../common/moment.tsx'

type Open = Awaited<ReturnType<typeof loadDisputes>>['data'][number]

function loadDisputes(search: ListSearch) {
  return bodyOf(api.GET('/api/admin/v1/disputes', { params: { query: search as never } }))
}

const COLUMNS: Column<Open>[] = [
  {
    header: 'Swap',
    cell: ({ swap: { id, requester, owner } }) => (
      <>
        <Link to="/swaps/$id" params={{ id: String(id) }} search={{}} className="row-link">
          no. {id}
        </Link>
        <Text size="xs" c="dimmed">
          {requester?.name ?? 'a deleted account'} and {owner?.name ?? 'a deleted account'}
        </Text>
      </>
    ),
  },
  {
    header: 'Reason',
    cell: ({ reason }) => (
      <Text size="sm" lineClamp={2} maw={420} style={{ overflowWrap: 'anywhere' }}>
        {reason ?? '–'}
      </Text>
    ),
  },
  { header: 'Waits since', cell: ({ opened_at: at }) => <Moment at={at} /> },
]

/** The disputes that wait for an administrator, the longest first. */
export function DisputesPage() {
  return (
    <ListPage
      title="Disputes"
      about="Swaps about which two people disagree. The one that waits longest comes first."
      queryKey="disputes"
      load={loadDisputes}
      search={useSearch({ strict: false })}
      columns={COLUMNS}
      rowKey={({ swap }) => swap.id}
      empty={{ title: 'No dispute is open', text: 'When two people disagree about a swap, it appears here.' }}
    />
  )
}
