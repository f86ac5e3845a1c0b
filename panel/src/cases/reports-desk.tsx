import { api, readBody } from '../api/client.ts'
import { DeskPage, type Verdict } from './desk.tsx'
import { heldBy, UNDOABLE, type NewDecision } from './decisions.tsx'
import type { Reason, ReasonTexts } from './reason-dialog.tsx'
import { plural, t } from '../translation/translate.ts'
import { ReportedCard } from './reported-card.tsx'

type Reported = Awaited<ReturnType<typeof loadQueue>>['data'][number]

function loadQueue() {
  const order = { sort_by: 'first_reported_at', sort_order: 'asc' } as const
  const query = { per_page: 50, status: ['open' as const, 'in_review' as const], ...order }
  return readBody(api.GET('/api/admin/v1/report/reported-product/all', { params: { query } }))
}

/** What a moderator chooses, and what the owner reads: in the language of the app, whatever the panel's is. */
const SENTENCES = [
  [t('It may not be offered here.'), 'It may not be offered here.'],
  [t('The offer does not match the product.'), 'The offer does not match the product.'],
  [t('It appears to be a counterfeit.'), 'It appears to be a counterfeit.'],
  [t('Words or pictures offend.'), 'Words or pictures offend.'],
  [t('It appears to be a fraud.'), 'It appears to be a fraud.'],
  [t('It is not safe to pass on.'), 'It is not safe to pass on.'],
] as const

const REASONS: ReasonTexts = {
  reasons: SENTENCES.map(([label, message]) => ({ code: message, label, message })),
  about: t('The owner gets it as a push. It is stored with the reports.'),
  maxLength: 500,
}

const ACTIONS = { accept: 'dismiss', change: 'warn_owner', reject: 'remove_product' } as const

const DONE: Record<Verdict, (title: string) => string> = {
  accept: (title) => t('{title}: the reports are dismissed. The reporters are informed.', { title }),
  change: (title) => t('{title}: the owner is warned. The reporters are informed.', { title }),
  reject: (title) => t('{title}: removed. The owner and the reporters are informed.', { title }),
}

const WAITING: Record<Verdict, (title: string) => string> = {
  accept: (title) => t('{title}: nothing wrong. Nobody is informed yet.', { title }),
  change: (title) => t('{title}: warn the owner. Nobody is informed yet.', { title }),
  reject: (title) => t('{title}: remove. Nobody is informed yet.', { title }),
}

function decide({ product_id: productId, product }: Reported, verdict: Verdict, { message }: Reason): NewDecision {
  const params = { path: { product_id: productId }, query: UNDOABLE }
  const body = { action: ACTIONS[verdict], ...(verdict !== 'accept' && { note: message, message }) }
  return {
    kind: 'reported_product',
    recordId: productId,
    title: product.title,
    waiting: WAITING[verdict](product.title),
    done: DONE[verdict](product.title),
    decision: heldBy(readBody(api.POST('/api/admin/v1/report/reported-product/{product_id}/decide', { params, body }))),
  }
}

/** The desk for reported products: the one that was reported first comes first. */
export function ReportsDeskPage() {
  return (
    <DeskPage
      desk="reports"
      title={t('Reports desk')}
      about={(waiting) =>
        plural(waiting, 'One reported product waits.', '{count} reported products wait, first reported first.')
      }
      empty={t('Every report is decided, or somebody has taken its product. New ones appear here automatically.')}
      load={loadQueue}
      name="reports-queue"
      toProductId={({ product_id: id }) => id}
      toTitle={({ product }) => product.title}
      card={(reported) => <ReportedCard key={reported.product_id} reported={reported} />}
      labels={{ accept: t('Nothing wrong'), change: t('Warn the owner'), reject: t('Remove the product') }}
      reasons={REASONS}
      decide={decide}
    />
  )
}
