import { Card, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { inWords, State, Tag } from '../common/labels.tsx'
import { moneyOf } from '../common/money.ts'
import { Moment } from '../common/moment.tsx'
import { PageLink } from '../common/page-link.tsx'
import { UserLink } from '../common/people.tsx'
import { ProductImages } from '../common/product-images.tsx'
import { Failure } from '../common/states.tsx'
import { Assignee } from './assignee.tsx'
import { PRODUCT_REASONS } from './reasons.ts'
import { plural, rich, t } from '../translation/translate.ts'

type Reported = { product_id: number; product: { title: string; status: string }; undecided_count: number }

function useProduct(id: number) {
  return useQuery({
    queryKey: ['product', id],
    queryFn: async () => {
      const params = { path: { id }, query: { deleted: 'include' as const } }
      return (await bodyOf(api.GET('/api/admin/v1/products/{id}', { params }))).data
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
      return (await bodyOf(api.GET('/api/admin/v1/report/reported-product/{product_id}', { params }))).data
    },
  })
}

/** A reported product, image first, with what people say is wrong about it. */
export function ReportedCard({
  reported: { product_id: id, product, undecided_count: count },
}: {
  reported: Reported
}) {
  const { data, error, refetch } = useProduct(id)
  const { data: reports = [] } = useReports(id)
  const mayReports = useMay('reports')
  return (
    <Card withBorder component="article" aria-label={product.title}>
      <Group align="flex-start" wrap="wrap">
        {data === undefined ? (
          <Skeleton w={300} h={300} />
        ) : (
          <ProductImages images={data.images} title={product.title} size={300} />
        )}
        <Stack gap="xs" flex="1 1 260px" miw={0}>
          <Group justify="space-between">
            <Text fw={600} fz="lg" style={{ overflowWrap: 'anywhere' }}>
              <Link to="/products/$id" params={{ id: String(id) }} search={{}} className="row-link">
                {product.title}
              </Link>
            </Text>
            <Tag color="orange">{plural(count, 'one undecided report', '{count} undecided reports')}</Tag>
          </Group>
          {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
          {data !== undefined && (
            <>
              <Group gap="xs">
                <State of={data.status} />
                <Text size="sm" c="dimmed">
                  {data.category.name} · {inWords(data.condition)} ·{' '}
                  {moneyOf(data.estimated_value_cents, data.currency)}
                </Text>
              </Group>
              <div>
                <UserLink id={data.owner.id} name={data.owner.name} about={`@${data.owner.username}`} />
                {mayReports && <PageLink to={`/users/${data.owner.id}/report`}>{t('Report about the owner')}</PageLink>}
              </div>
              <Text lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {data.description}
              </Text>
            </>
          )}
        </Stack>
      </Group>
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
              <Assignee report={report} about="reported-product" shownBy={`reports-${id}`} />
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {report.details}
            </Text>
          </li>
        ))}
      </Stack>
    </Card>
  )
}
