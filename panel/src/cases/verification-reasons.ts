import type { paths } from '../../../client/src/schema.ts'
import type { ReasonTexts } from './reason-dialog.tsx'
import { t } from '../translation/translate.ts'

type Rejection = paths['/api/admin/v1/reject-product/{id}']['post']['requestBody']
export type ReasonCode = Rejection['content']['application/json']['reason_code']

/** Why, and what the owner reads: in the language of the app, whatever the panel's is. */
const TEXTS = {
  unclear_photos: [t('Photos are unclear'), 'Please add photos that show the product clearly.'],
  incomplete_description: [t('Description is incomplete'), 'Please describe the product and its condition.'],
  wrong_category: [t('Wrong category'), 'Please choose the category that fits the product.'],
  misleading: [t('Misleading'), 'The offer does not match the product.'],
  prohibited_item: [t('Prohibited item'), 'This kind of product cannot be offered here.'],
  counterfeit: [t('Counterfeit'), 'The product appears to be a counterfeit.'],
  offensive: [t('Offensive'), 'The offer has words or pictures that offend.'],
  duplicate: [t('Duplicate'), 'You offer the same product already.'],
  unsafe: [t('Unsafe'), 'The product is not safe to pass on.'],
  other: [t('Other'), ''],
} as const satisfies Record<ReasonCode, readonly [label: string, message: string]>

export const REASONS: ReasonTexts = {
  reasons: Object.entries(TEXTS).map(([code, [label, message]]) => ({ code, label, message })),
  first: 0,
  about: t('The owner gets this text with a push, and can change the product.'),
  maxLength: 1_000,
}
