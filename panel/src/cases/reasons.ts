import type { RowOf } from '../common/list-query.ts'
import { t } from '../translation/translate.ts'

export type ProductReport = RowOf<'/api/admin/v1/report/reported-product/{product_id}'>
export type UserReport = RowOf<'/api/admin/v1/report/reported-users'>

/** What products are reported for. Without a label for each reason of the API this does not compile. */
export const PRODUCT_REASONS: Record<ProductReport['reason'], string> = {
  prohibited_item: t('prohibited item'),
  scam: t('scam'),
  misleading: t('misleading'),
  offensive: t('offensive'),
  counterfeit: t('counterfeit'),
  duplicate: t('duplicate'),
  unsafe: t('unsafe'),
  other: t('other'),
}

export const USER_REASONS: Record<UserReport['reason'], string> = {
  scam: t('scam'),
  no_show: t('no show'),
  harassment: t('harassment'),
  hate: t('hate'),
  impersonation: t('impersonation'),
  spam: t('spam'),
  underage: t('underage'),
  other: t('other'),
}

export function reasonFilter<Reason extends string>(labels: Record<Reason, string>) {
  const options = Object.entries<string>(labels).map(([value, label]) => ({ value: value as Reason, label }))
  return { name: 'reason' as const, label: t('Reason'), options }
}
