import { Button, Group } from '@mantine/core'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { api, readBody } from '../api/client.ts'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { heldBy, UNDOABLE, useDecisions } from './decisions.tsx'
import { PRODUCT_REASONS, reasonFilter, type ProductReport } from './reasons.ts'
import { reportColumns, STATUS_FILTER } from './report-columns.tsx'
import { t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/report/reported-product/{product_id}'>

function loadReports(productId: number, query: Query) {
  const params = { path: { product_id: productId }, query }
  return readBody(api.GET('/api/admin/v1/report/reported-product/{product_id}', { params }))
}

export function ReportedProductPage() {
  const productId = Number(useParams({ strict: false }).productId)
  const queryKey = `reports-${productId}`
  const columns: Column<ProductReport, Query>[] = reportColumns<ProductReport>(
    'reported-product',
    queryKey,
    PRODUCT_REASONS,
    ({ id }) => <Decision id={id} />,
  )
  return (
    <ListPage
      title={t('Reports on product no. {id}', { id: String(productId) })}
      about={t("Resolving by removal closes the product's swaps and informs its owner.")}
      queryKey={queryKey}
      load={(search) => loadReports(productId, search)}
      search={useSearch({ strict: false })}
      columns={columns}
      filters={[STATUS_FILTER, reasonFilter(PRODUCT_REASONS)]}
      rowKey={({ id }) => id}
      empty={{ title: t('No reports'), text: t('Nobody has reported this product.') }}
      actions={
        <Button component={Link} to={`/products/${productId}`} variant="default">
          {t('Look at the product')}
        </Button>
      }
    />
  )
}

type Verdict = 'remove_product' | 'warn_owner' | 'dismiss'

const DONE: Record<Verdict, string> = {
  remove_product: t('Remove product'),
  warn_owner: t('Warn owner'),
  dismiss: t('Dismiss'),
}

function send(reportId: number, verdict: Verdict): Promise<{ data: unknown }> {
  const params = { path: { report_id: reportId }, query: UNDOABLE }
  return readBody<{ data: unknown }>(
    verdict === 'dismiss'
      ? api.POST('/api/admin/v1/report/reported-product/{report_id}/dismiss', { params, body: {} })
      : api.POST('/api/admin/v1/report/reported-product/{report_id}/resolve', { params, body: { action: verdict } }),
  )
}

function Decision({ id }: { id: number }) {
  const { add } = useDecisions()
  const decide = (verdict: Verdict) => {
    const words = { id: String(id), done: DONE[verdict] }
    add({
      kind: 'report',
      recordId: id,
      title: t('Report no. {id}', words),
      waiting: t('Report no. {id}: {done}. Nobody is informed yet.', words),
      done: t('Report no. {id}: {done}. The reporter is informed.', words),
      decision: heldBy(send(id, verdict)),
    })
  }
  return (
    <Group gap={6} wrap="nowrap">
      <Button size="compact-sm" color="red" variant="light" onClick={() => decide('remove_product')}>
        {t('Remove product')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => decide('warn_owner')}>
        {t('Warn owner')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => decide('dismiss')}>
        {t('Dismiss')}
      </Button>
    </Group>
  )
}
