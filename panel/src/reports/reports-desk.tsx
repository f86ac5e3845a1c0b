import { Button, Group, Kbd, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, bodyOf } from '../api/client.ts'
import { Empty, Failure, PageHeader } from '../common/states.tsx'
import { HeldBar, useHeldDecision } from '../desk/held-decision.tsx'
import { useKeys } from '../desk/keys.ts'
import { Leases, useHeldByOthers } from '../desk/lease.tsx'
import { plural, t } from '../translation/translate.ts'
import { JudgeDialog, type Judgement } from './judge-dialog.tsx'
import { ReportedCard } from './reported-card.tsx'

function loadQueue() {
  const order = { sort_by: 'first_reported_at', sort_order: 'asc' } as const
  const query = { per_page: 50, status: ['open' as const, 'in_review' as const], ...order }
  return bodyOf(api.GET('/api/admin/v1/report/reported-product/all', { params: { query } }))
}

type Reported = Awaited<ReturnType<typeof loadQueue>>['data'][number]

const DONE: Record<Judgement['action'], (title: string) => string> = {
  dismiss: (title) => t('{title}: the reports are dismissed. The reporters are told.', { title }),
  warn_owner: (title) => t('{title}: the owner is warned. The reporters are told.', { title }),
  remove_product: (title) => t('{title}: removed. The owner and the reporters are told.', { title }),
}

const WAITING: Record<Judgement['action'], (title: string) => string> = {
  dismiss: (title) => t('{title}: nothing wrong. Nobody is told yet.', { title }),
  warn_owner: (title) => t('{title}: warn the owner. Nobody is told yet.', { title }),
  remove_product: (title) => t('{title}: remove. Nobody is told yet.', { title }),
}

function judge({ product_id: productId, product }: Reported, judgement: Judgement) {
  return {
    productId,
    waiting: WAITING[judgement.action](product.title),
    done: DONE[judgement.action](product.title),
    send: (keepalive: boolean) =>
      bodyOf(
        api.POST('/api/admin/v1/report/reported-product/{product_id}/decide', {
          params: { path: { product_id: productId } },
          body: judgement,
          keepalive,
        }),
      ),
  }
}

/** The desk for reported products: the one that was reported first comes first, decided by one key each. */
export function ReportsDeskPage() {
  const [shownId, setShownId] = useState<number>()
  const [asking, setAsking] = useState<'remove_product' | 'warn_owner'>()
  const { data, error, refetch } = useQuery({
    queryKey: ['reports-queue'],
    queryFn: loadQueue,
    refetchInterval: 15_000,
  })
  const others = useHeldByOthers('reports')
  const { held, decided, hold, takeBack } = useHeldDecision(['reports-queue', 'reported-products'])
  const queue = (data?.data ?? []).filter(({ product_id: id }) => !others.has(id) && !decided.includes(id))
  const place = Math.max(
    0,
    queue.findIndex(({ product_id: id }) => id === shownId),
  )
  const shown = queue[place]
  useEffect(() => setShownId(shown?.product_id), [shown?.product_id])
  const decide = (judgement: Judgement) => {
    setAsking(undefined)
    if (shown !== undefined) hold(judge(shown, judgement))
  }
  const undo = () => {
    const productId = takeBack()
    if (productId !== undefined) setShownId(productId)
  }
  const step = (by: number) => setShownId(queue[Math.max(0, Math.min(queue.length - 1, place + by))]?.product_id)
  useKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      a: () => decide({ action: 'dismiss' }),
      r: () => setAsking('remove_product'),
      c: () => setAsking('warn_owner'),
      z: undo,
    },
    asking === undefined,
  )
  if (error !== null && data === undefined) return <Failure thrown={error} retry={() => void refetch()} />
  return (
    <Stack maw={900}>
      <Leases desk="reports" productIds={[shown?.product_id, held?.productId]} />
      <PageHeader
        title={t('Reports desk')}
        about={
          data === undefined
            ? t('Loading the queue')
            : plural(
                data.pagination.total_items,
                'One reported product waits.',
                '{count} reported products wait, the one reported first comes first.',
              )
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
      {data !== undefined && shown === undefined && (
        <Empty title={t('Nothing waits for you')}>
          {t('Every report is decided, or somebody looks at it now. New ones appear here by themselves.')}
        </Empty>
      )}
      {shown !== undefined && (
        <>
          <ReportedCard key={shown.product_id} reported={shown} />
          <Group>
            <Button onClick={() => decide({ action: 'dismiss' })} rightSection={<Kbd>A</Kbd>}>
              {t('Nothing wrong')}
            </Button>
            <Button variant="light" color="yellow" onClick={() => setAsking('warn_owner')} rightSection={<Kbd>C</Kbd>}>
              {t('Warn the owner')}
            </Button>
            <Button variant="light" color="red" onClick={() => setAsking('remove_product')} rightSection={<Kbd>R</Kbd>}>
              {t('Remove the product')}
            </Button>
            <Button variant="subtle" onClick={() => step(1)} rightSection={<Kbd>J</Kbd>}>
              {t('Skip')}
            </Button>
          </Group>
          <JudgeDialog asking={asking} close={() => setAsking(undefined)} decide={decide} />
        </>
      )}
      <HeldBar held={held} undo={undo} />
    </Stack>
  )
}
