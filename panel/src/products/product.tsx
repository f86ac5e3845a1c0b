import { Card, SimpleGrid, Stack, Text } from '@mantine/core'
import { api, readBody } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { Facts } from '../common/facts.tsx'
import { History } from '../common/history.tsx'
import { inWords, State } from '../common/labels.tsx'
import { Moment } from '../common/moment.tsx'
import { formatMoney } from '../common/money.ts'
import { UserLink } from '../common/people.tsx'
import { ProductImages } from '../common/product-images.tsx'
import { recordPage } from '../common/record-page.tsx'
import { PageHeader } from '../common/states.tsx'
import { ProductActions } from './product-actions.tsx'
import { t } from '../translation/translate.ts'

export type ProductDetails = Awaited<ReturnType<typeof loadProduct>>

async function loadProduct(id: number) {
  const params = { path: { id }, query: { deleted: 'include' as const } }
  return (await readBody(api.GET('/api/admin/v1/products/{id}', { params }))).data
}

export const ProductPage = recordPage('product', loadProduct, Known)

function Known({ data }: { data: ProductDetails }) {
  const mayWrite = useMay('products.write')
  const facts: [string, React.ReactNode][] = [
    [t('Owner'), <UserLink key="owner" id={data.owner.id} name={data.owner.name} />],
    [t('Category'), data.category.name],
    [t('Condition'), inWords(data.condition)],
    [t('Value'), formatMoney(data.estimated_value_cents, data.currency)],
    [t('Wants'), data.wants],
    [t('City'), data.city],
    [t('Swaps'), t('{count} ({open} open)', { count: data.swaps.total, open: data.swaps.open })],
    [t('Undecided reports'), data.reports.length],
    [t('Listed'), <Moment key="at" at={data.created_at} />],
  ]
  const { status, verification } = data.history
  const changes = [...status, ...verification]
    .map(({ note, ...change }) => ({ ...change, note: note === null ? null : inWords(note) }))
    .toSorted((a, b) => b.at.localeCompare(a.at))
  return (
    <Stack>
      <PageHeader
        title={data.title}
        state={
          <>
            <State of={data.deleted_at === null ? data.status : 'deleted'} />
            <State of={data.verification} />
          </>
        }
        about={t('Product no. {id}, revision {revision}', { id: String(data.id), revision: data.revision })}
      >
        {mayWrite && data.deleted_at === null && <ProductActions product={data} />}
      </PageHeader>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card withBorder>
          <ProductImages key={data.id} images={data.images} title={data.title} size="100%" />
          <Text mt="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {data.description}
          </Text>
        </Card>
        <Stack>
          <Facts title={t('Facts')} facts={facts} />
          <History changes={changes} />
        </Stack>
      </SimpleGrid>
    </Stack>
  )
}
