import { Text } from '@mantine/core'
import { listPage } from '../common/list.tsx'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { t } from '../translation/translate.ts'

/** The disputes that wait for an administrator, the longest first. */
export const DisputesPage = listPage('/api/admin/v1/disputes', {
  queryKey: 'disputes',
  columns: [
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
  ],
  rowKey: ({ swap }) => swap.id,
  empty: { title: t('No dispute is open'), text: t('When two people disagree about a swap, it appears here.') },
})
