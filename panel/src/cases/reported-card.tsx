import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, readBody } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { State, Tag } from '../common/labels.tsx'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { Failure } from '../common/states.tsx'
import { Assignee } from './assignee.tsx'
import { ProductCard } from './product-card.tsx'
import { PRODUCT_REASONS } from './reasons.ts'
import { plural, rich, t } from '../translation/translate.ts'

type Reported = { product_id: number; product: { title: string; status: string }; undecided_count: number }

function useProduct(id: number) {
  return useQuery({
    queryKey: ['product', id],
    queryFn: async () => {
      const params = { path: { id }, query: { deleted: 'include' as const } }
      return (await readBody(api.GET('/api/admin/v1/products/{id}', { params }))).data
    },
  })
}

function useReports(id: number) {
  return useQuery({
    queryKey: [`reports-${id}`, 'undecided'],
    queryFn: async () => {
      const params = {
        path: { product_id: id },
        query: { status: ['open' as const, 'in_review' as const], per_page: 20 },
      }
      return (await readBody(api.GET('/api/admin/v1/report/reported-product/{product_id}', { params }))).data
    },
  })
}

export function ReportedCard({
  reported: { product_id: id, product, undecided_count: count },
}: {
  reported: Reported
}) {
  const { data, error, refetch } = useProduct(id)
  const { data: reports = [] } = useReports(id)
  const mayReports = useMay('reports')
  return (
    <ProductCard
      title={product.title}
      heading={<PageLink to={`/products/${id}`}>{product.title}</PageLink>}
      tag={
        <Group gap="xs">
          <State of={product.status} />
          <Tag color="orange">{plural(count, 'one undecided report', '{count} undecided reports')}</Tag>
        </Group>
      }
      product={data}
      above={
        <>
          {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
          {mayReports && data && (
            <PageLink to={`/users/${data.owner.id}/report`}>{t('Report about the owner')}</PageLink>
          )}
        </>
      }
    >
      <Stack gap="xs" mt="md" component="ul" p={0} style={{ listStyle: 'none' }} aria-label={t('Reports')}>
        {reports.map((report) => (
          <li key={report.id}>
            <Group gap="xs">
              <Tag color="red">{PRODUCT_REASONS[report.reason]}</Tag>
              <Text size="sm" c="dimmed">
                {rich('by {who}', {
                  who: report.reporter === null ? t('a deleted account') : `@${report.reporter.username}`,
                })}{' '}
                · <Moment at={report.created_at} />
              </Text>
              <Text size="sm" c="dimmed">
                {t('Assigned to')}
              </Text>
              <Assignee report={report} about="reported-product" queryKey={`reports-${id}`} />
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {report.details}
            </Text>
          </li>
        ))}
      </Stack>
    </ProductCard>
  )
}
