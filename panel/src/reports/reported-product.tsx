import { Button, Group, Text } from '@mantine/core'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { api, bodyOf } from '../api/client.ts'
import { inWords, State } from '../common/labels.tsx'
import { ListPage } from '../common/list-page.tsx'
import type { Column } from '../common/list-rows.tsx'
import type { QueryOf } from '../common/list-query.ts'
import { Moment } from '../common/moment.tsx'
import { heldBy, UNDOABLE, useDecisions } from '../desk/decisions.tsx'
import { Assignee } from './assignee.tsx'
import { PRODUCT_REASONS, reasonFilter } from './reasons.ts'
import { ReportReason, STATUS_FILTER } from './report-columns.tsx'
import { t } from '../translation/translate.ts'

type Query = QueryOf<'/api/admin/v1/report/reported-product/{product_id}'>
type Report = Awaited<ReturnType<typeof loadReports>>['data'][number]

function loadReports(productId: number, query: Query) {
  const params = { path: { product_id: productId }, query }
  return bodyOf(api.GET('/api/admin/v1/report/reported-product/{product_id}', { params }))
}

/** The reports on one product, each decided by one press. */
export function ReportedProductPage() {
  const productId = Number(useParams({ strict: false }).productId)
  const columns: Column<Report, Query>[] = [
    {
      header: t('Reason'),
      cell: ({ reason, details }) => <ReportReason reason={PRODUCT_REASONS[reason]} details={details} />,
    },
    { header: t('By'), cell: ({ reporter }) => (reporter === null ? t('a deleted account') : `@${reporter.username}`) },
    { header: t('State'), cell: ({ status }) => <State of={status} /> },
    { sort: 'created_at', header: t('Reported'), cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      header: t('Assigned to'),
      cell: (report) => <Assignee report={report} about="reported-product" shownBy={`reports-${productId}`} />,
    },
    { header: t('Decision'), cell: (report) => <Decision report={report} /> },
  ]
  return (
    <ListPage
      title={t('Reports on product no. {id}', { id: String(productId) })}
      about={t("Resolving by removal closes the product's swaps and informs its owner.")}
      queryKey={`reports-${productId}`}
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

function wordsOf(id: number, verdict: Verdict) {
  return { id: String(id), done: DONE[verdict] }
}

function send(reportId: number, verdict: Verdict): Promise<{ data: unknown }> {
  const params = { path: { report_id: reportId }, query: UNDOABLE }
  return bodyOf<{ data: unknown }>(
    verdict === 'dismiss'
      ? api.POST('/api/admin/v1/report/reported-product/{report_id}/dismiss', { params, body: {} })
      : api.POST('/api/admin/v1/report/reported-product/{report_id}/resolve', { params, body: { action: verdict } }),
  )
}

function Decision({ report }: { report: Report }) {
  const { add, isDecided } = useDecisions()
  const decide = (verdict: Verdict) =>
    add({
      kind: 'report',
      recordId: report.id,
      title: t('Report no. {id}', { id: String(report.id) }),
      waiting: t('Report no. {id}: {done}. Nobody is informed yet.', wordsOf(report.id, verdict)),
      done: t('Report no. {id}: {done}. The reporter is informed.', wordsOf(report.id, verdict)),
      decision: heldBy(send(report.id, verdict)),
    })
  if (isDecided('report', report.id))
    return (
      <Text size="sm" c="dimmed">
        {t('Decided. Nobody is informed yet.')}
      </Text>
    )
  if (report.status === 'actioned' || report.status === 'dismissed')
    return (
      <Text size="sm" c="dimmed">
        {inWords(report.resolution ?? report.status)} <Moment at={report.resolved_at} none="" />
      </Text>
    )
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
