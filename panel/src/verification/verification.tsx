import { Button, Card, Group, Kbd, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { durationOf } from '../common/duration.ts'
import { inWords, Tag } from '../common/labels.tsx'
import { moneyOf } from '../common/money.ts'
import { UserLink } from '../common/people.tsx'
import { ProductImage } from '../common/product-image.tsx'
import { Empty, Failure, PageHeader } from '../common/states.tsx'
import { HeldBar, useHeldDecision, type HeldDecision } from '../desk/held-decision.tsx'
import { useKeys } from '../desk/keys.ts'
import { Leases, useHeldByOthers } from '../desk/lease.tsx'
import { ReasonDialog, type Reason } from './reason-dialog.tsx'
import { plural, t } from '../translation/translate.ts'

type Waiting = Awaited<ReturnType<typeof loadQueue>>['data'][number]

const QUEUE = ['verification']

function loadQueue() {
  return bodyOf(api.GET('/api/admin/v1/add-product-verification', { params: { query: { per_page: 50 } } }))
}

type Verdict =
  { product: Waiting; verdict: 'verify' } | { product: Waiting; verdict: 'reject' | 'changes'; reason: Reason }

/** What is sent when the decision is final; refused when the product has changed since it was shown. */
function toHold(decision: Verdict): HeldDecision {
  const { id, revision, title } = decision.product
  const params = { path: { id } }
  return {
    productId: id,
    waiting: t('{title}: {done}. Nobody is told yet.', { title, done: DONE[decision.verdict] }),
    done: t('{title}: {done}. The owner is told.', { title, done: DONE[decision.verdict] }),
    send: (keepalive) => {
      if (decision.verdict === 'verify')
        return bodyOf(api.POST('/api/admin/v1/mark-product-verified/{id}', { params, body: { revision }, keepalive }))
      const call = { params, body: { ...decision.reason, revision }, keepalive }
      return bodyOf<unknown>(
        decision.verdict === 'reject'
          ? api.POST('/api/admin/v1/reject-product/{id}', call)
          : api.POST('/api/admin/v1/request-product-changes/{id}', call),
      )
    },
  }
}

/** The desk of the moderators: the product that waits longest first, decided by one key each. */
export function VerificationPage() {
  const [shownId, setShownId] = useState<number>()
  const [asking, setAsking] = useState<'reject' | 'changes'>()
  const { data, error, refetch } = useQuery({ queryKey: QUEUE, queryFn: loadQueue, refetchInterval: 15_000 })
  const others = useHeldByOthers('verification')
  const { held, decided, hold, takeBack } = useHeldDecision(QUEUE)
  const queue = (data?.data ?? []).filter(({ id }) => !others.has(id) && !decided.includes(id))
  // The queue changes under way; what is looked at stays where it is until it is decided or skipped.
  const place = Math.max(
    0,
    queue.findIndex(({ id }) => id === shownId),
  )
  const product = queue[place]
  useEffect(() => setShownId(product?.id), [product?.id])
  const step = (by: number) => setShownId(queue[Math.max(0, Math.min(queue.length - 1, place + by))]?.id)
  const verify = () => product && hold(toHold({ product, verdict: 'verify' }))
  const undo = () => {
    const productId = takeBack()
    if (productId !== undefined) setShownId(productId)
  }
  useKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      a: verify,
      r: () => setAsking('reject'),
      c: () => setAsking('changes'),
      z: undo,
    },
    asking === undefined,
  )
  if (error !== null && data === undefined) return <Failure thrown={error} retry={() => void refetch()} />
  return (
    <Stack maw={900}>
      <Leases desk="verification" productIds={[product?.id, held?.productId]} />
      <PageHeader
        title={t('Verification')}
        about={
          data === undefined
            ? t('Loading the queue')
            : plural(data.pagination.total_items, 'One product waits.', '{count} products wait, the oldest first.')
        }
      />
      {data === undefined && <Skeleton height={360} />}
      {others.size > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {plural(
            others.size,
            '{names} looks at one of them now; it is not shown to you.',
            '{names} look at {count} of them now; those are not shown to you.',
            { names: [...new Set(others.values())].join(', ') },
          )}
        </Text>
      )}
      {data !== undefined && product === undefined && (
        <Empty title={t('Nothing waits for you')}>
          {t('Every product has been looked at, or somebody looks at it now. New ones appear here by themselves.')}
        </Empty>
      )}
      {product !== undefined && (
        <>
          <WaitingCard product={product} />
          <Group>
            <Button onClick={verify} rightSection={<Kbd>A</Kbd>}>
              {t('Approve')}
            </Button>
            <Button variant="light" color="yellow" onClick={() => setAsking('changes')} rightSection={<Kbd>C</Kbd>}>
              {t('Ask for changes')}
            </Button>
            <Button variant="light" color="red" onClick={() => setAsking('reject')} rightSection={<Kbd>R</Kbd>}>
              {t('Reject')}
            </Button>
            <Button variant="subtle" onClick={() => step(1)} rightSection={<Kbd>J</Kbd>}>
              {t('Skip')}
            </Button>
          </Group>
          <ReasonDialog
            asking={asking}
            close={() => setAsking(undefined)}
            decide={(verdict, reason) => {
              setAsking(undefined)
              hold(toHold({ product, verdict, reason }))
            }}
          />
        </>
      )}
      <HeldBar held={held} undo={undo} />
    </Stack>
  )
}

const DONE = { verify: t('approved'), reject: t('rejected'), changes: t('changes asked for') }

function WaitingCard({ product }: { product: Waiting }) {
  const {
    images,
    title,
    description,
    category,
    condition,
    owner,
    city,
    wants,
    changed_fields: changed,
    previous_decision: previous,
  } = product
  return (
    <Card withBorder component="article" aria-label={title}>
      <Group align="flex-start" wrap="wrap">
        <ProductImage images={images} title={title} size={300} />
        <Stack gap="xs" flex="1 1 260px">
          <Group justify="space-between">
            <Text fw={600} fz="lg" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            <Tag color="cyan">{t('waits for {time}', { time: durationOf(product.waiting_seconds) })}</Tag>
          </Group>
          <Text size="sm" c="dimmed">
            {category.name} · {inWords(condition)} · {moneyOf(product.estimated_value_cents, product.currency)}
            {city === null ? '' : ` · ${city}`}
          </Text>
          <div>
            <UserLink id={owner.id} name={owner.name} about={`@${owner.username}`} />
          </div>
          {changed.length > 0 && (
            <Text size="sm">
              {t('Changed since the last decision:')}{' '}
              {changed.map((field) => (
                <Tag key={field} color="yellow">
                  {inWords(field === 'category_id' ? 'category' : field)}
                </Tag>
              ))}
            </Text>
          )}
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{description}</Text>
          {wants !== null && <Text size="sm">{t('Wants: {what}', { what: wants })}</Text>}
          {previous !== null && (
            <Text size="sm" c="dimmed">
              {t('Last time: {decision}', { decision: inWords(previous.action) })}
              {previous.message === null ? '' : `, “${previous.message}”`}
            </Text>
          )}
        </Stack>
      </Group>
    </Card>
  )
}
