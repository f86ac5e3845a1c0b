import { Text } from '@mantine/core'
import { api, readBody } from '../api/client.ts'
import { formatDuration } from '../common/duration.ts'
import { inWords, Tag } from '../common/labels.tsx'
import { DeskPage, type Verdict } from './desk.tsx'
import { heldBy, UNDOABLE, type NewDecision } from './decisions.tsx'
import { ProductCard } from './product-card.tsx'
import type { Reason } from './reason-dialog.tsx'
import { REASONS, type ReasonCode } from './verification-reasons.ts'
import { plural, t } from '../translation/translate.ts'

type Waiting = Awaited<ReturnType<typeof loadQueue>>['data'][number]

function loadQueue() {
  return readBody(api.GET('/api/admin/v1/add-product-verification', { params: { query: { per_page: 50 } } }))
}

const DONE = { accept: t('approved'), reject: t('rejected'), change: t('changes asked for') }

/** The service refuses it when the product has changed since it was shown. */
function decide({ id, revision, title }: Waiting, verdict: Verdict, reason: Reason): NewDecision {
  const words = { title, done: DONE[verdict] }
  return {
    kind: 'verification',
    recordId: id,
    title,
    waiting: t('{title}: {done}. Nobody is informed yet.', words),
    done: t('{title}: {done}. The owner is informed.', words),
    decision: heldBy(send({ path: { id }, query: UNDOABLE }, verdict, { reason, revision })),
  }
}

type Params = { path: { id: number }; query: typeof UNDOABLE }

function send(params: Params, verdict: Verdict, { reason, revision }: { reason: Reason; revision: number }) {
  if (verdict === 'accept')
    return readBody<{ data: unknown }>(
      api.POST('/api/admin/v1/mark-product-verified/{id}', { params, body: { revision } }),
    )
  const call = { params, body: { reason_code: reason.code as ReasonCode, message: reason.message, revision } }
  return readBody<{ data: unknown }>(
    verdict === 'reject'
      ? api.POST('/api/admin/v1/reject-product/{id}', call)
      : api.POST('/api/admin/v1/request-product-changes/{id}', call),
  )
}

/** The desk of the moderators: the product that waits longest first. */
export function VerificationPage() {
  return (
    <DeskPage
      desk="verification"
      title={t('Verification')}
      about={(waiting) => plural(waiting, 'One product waits.', '{count} products wait, oldest first.')}
      empty={t('Every product is decided, or somebody has taken it. New ones appear here automatically.')}
      load={loadQueue}
      name="verification"
      toProductId={({ id }) => id}
      toTitle={({ title }) => title}
      card={(product) => <WaitingCard key={product.id} product={product} />}
      labels={{ accept: t('Approve'), change: t('Ask for changes'), reject: t('Reject') }}
      reasons={REASONS}
      decide={decide}
    />
  )
}

function WaitingCard({ product }: { product: Waiting }) {
  const { title, wants, changed_fields: changed, previous_decision: previous } = product
  return (
    <ProductCard
      title={title}
      tag={<Tag color="cyan">{t('waits for {time}', { time: formatDuration(product.waiting_seconds) })}</Tag>}
      product={product}
      above={
        changed.length > 0 && (
          <Text size="sm">
            {t('Changed since the last decision:')}{' '}
            {changed.map((field) => (
              <Tag key={field} color="yellow">
                {inWords(field === 'category_id' ? 'category' : field)}
              </Tag>
            ))}
          </Text>
        )
      }
      below={
        <>
          {wants !== null && <Text size="sm">{t('Wants: {what}', { what: wants })}</Text>}
          {previous !== null && (
            <Text size="sm" c="dimmed">
              {t('Last time: {decision}', { decision: inWords(previous.action) })}
              {previous.message === null ? '' : `, “${previous.message}”`}
            </Text>
          )}
        </>
      }
    />
  )
}
