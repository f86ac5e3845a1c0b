import { Button, Group, Kbd, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Empty, Failure, PageHeader } from '../common/states.tsx'
import { useKeys } from '../shell/keys.tsx'
import { plural, t } from '../translation/translate.ts'
import { useDecisions, type NewDecision } from './decisions.tsx'
import { Leases, useHeldByOthers, type Desk } from './lease.tsx'
import { ReasonDialog, type Reason, type ReasonTexts } from './reason-dialog.tsx'

/** One key decides: A approves, C requests changes, R rejects. */
export type Verdict = 'accept' | 'change' | 'reject'

type Queue<Item> = { data: Item[]; pagination: { total_items: number } }

type DeskPageProps<Item> = {
  desk: Desk
  title: string
  about: (waiting: number) => string
  /** What is said when nothing waits. */
  empty: string
  load: () => Promise<Queue<Item>>
  /** The key of the queue's query. */
  name: string
  toProductId: (item: Item) => number
  toTitle: (item: Item) => string
  card: (item: Item) => ReactNode
  labels: Record<Verdict, string>
  reasons: ReasonTexts
  /** Sends the decision. A verdict other than `accept` has a reason. */
  decide: (item: Item, verdict: Verdict, reason: Reason) => NewDecision
}

const REFRESH_MS = 15_000
const NO_REASON: Reason = { code: '', message: '' }

/** A desk of the moderators: one product of the queue after the other, decided by one key each. */
export function DeskPage<Item>(props: DeskPageProps<Item>) {
  const { desk, labels, toProductId } = props
  const [asking, setAsking] = useState<{ verdict: 'change' | 'reject'; item: Item }>()
  const { add } = useDecisions()
  const { queue, current, step, others } = useQueue(props)
  // A product that is asked about stays shown, also when it leaves the queue meanwhile.
  const visible = asking?.item ?? current
  const ask = (verdict: 'change' | 'reject') => visible !== undefined && setAsking({ verdict, item: visible })
  const decide = (verdict: Verdict, reason = NO_REASON) => {
    setAsking(undefined)
    if (visible !== undefined) add(props.decide(visible, verdict, reason))
  }
  useKeys([
    { keys: 'j', does: t('Skip'), act: () => step(1) },
    { keys: 'k', does: t('Back to the one before'), act: () => step(-1) },
    { keys: 'a', does: labels.accept, act: () => decide('accept') },
    { keys: 'c', does: labels.change, act: () => ask('change') },
    { keys: 'r', does: labels.reject, act: () => ask('reject') },
  ])
  const { data, error, refetch } = queue
  if (error !== null && data === undefined) return <Failure thrown={error} retry={() => void refetch()} />
  return (
    <Stack maw={900}>
      <Leases desk={desk} productIds={[visible && toProductId(visible)]} />
      <PageHeader
        title={props.title}
        about={data === undefined ? t('Loading the queue') : props.about(data.pagination.total_items)}
      />
      {data === undefined && <Skeleton height={360} />}
      {others.size > 0 && <HeldByOthers names={[...others.values()]} />}
      {data !== undefined && visible === undefined && <Empty title={t('Nothing waits for you')}>{props.empty}</Empty>}
      {visible !== undefined && (
        <>
          {props.card(visible)}
          <Group>
            <Button onClick={() => decide('accept')} rightSection={<Kbd>A</Kbd>}>
              {labels.accept}
            </Button>
            <Button variant="light" color="yellow" onClick={() => ask('change')} rightSection={<Kbd>C</Kbd>}>
              {labels.change}
            </Button>
            <Button variant="light" color="red" onClick={() => ask('reject')} rightSection={<Kbd>R</Kbd>}>
              {labels.reject}
            </Button>
            <Button variant="subtle" onClick={() => step(1)} rightSection={<Kbd>J</Kbd>}>
              {t('Skip')}
            </Button>
          </Group>
          <ReasonDialog
            isOpen={asking !== undefined}
            close={() => setAsking(undefined)}
            title={props.toTitle(visible)}
            label={labels[asking?.verdict ?? 'change']}
            color={asking?.verdict === 'reject' ? 'red' : 'yellow'}
            texts={props.reasons}
            decide={(reason) => asking && decide(asking.verdict, reason)}
          />
        </>
      )}
    </Stack>
  )
}

const KINDS = { verification: 'verification', reports: 'reported_product' } as const

/** The queue without products that others have taken or that are decided, and the place in it. */
function useQueue<Item>({ desk, load, name, toProductId }: DeskPageProps<Item>) {
  const [currentId, setCurrentId] = useState<number>()
  const queue = useQuery({ queryKey: [name], queryFn: load, refetchInterval: REFRESH_MS })
  const others = useHeldByOthers(desk)
  const { isDecided, undone } = useDecisions()
  const kind = KINDS[desk]
  const items = (queue.data?.data ?? []).filter((item) => {
    const id = toProductId(item)
    return !others.has(id) && !isDecided(kind, id)
  })
  // The queue changes meanwhile; the shown product stays until it is decided or skipped.
  const place = items.findIndex((item) => toProductId(item) === currentId)
  const current = items[Math.max(0, place)]
  const id = current && toProductId(current)
  useEffect(() => setCurrentId(id), [id])
  useEffect(() => {
    if (undone?.kind === kind) setCurrentId(undone.recordId)
  }, [undone, kind])
  const step = (by: number) => {
    const next = items[Math.min(items.length - 1, Math.max(0, Math.max(0, place) + by))]
    if (next !== undefined) setCurrentId(toProductId(next))
  }
  return { queue, current, step, others }
}

function HeldByOthers({ names }: { names: string[] }) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {plural(
        names.length,
        '{names} looks at one of them now; it is not shown to you.',
        '{names} have taken {count} of them; those are not shown to you.',
        { names: [...new Set(names)].join(', ') },
      )}
    </Text>
  )
}
