import { Alert, Button, SimpleGrid, Stack, Text, Timeline } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, readBody } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { Facts } from '../common/facts.tsx'
import { Form, TextArea } from '../common/form.tsx'
import { History } from '../common/history.tsx'
import { inWords, State } from '../common/labels.tsx'
import { Moment } from '../common/moment.tsx'
import { Person } from '../common/people.tsx'
import { Loaded } from '../common/loaded.tsx'
import { PageLink } from '../common/page-link.tsx'
import { recordPage } from '../common/record-page.tsx'
import { PageHeader } from '../common/states.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { ResolveDispute } from '../cases/resolve-dispute.tsx'
import { rich, t } from '../translation/translate.ts'

type SwapDetails = Awaited<ReturnType<typeof loadSwap>>
type Side = 'requester' | 'owner'

async function loadSwap(id: number) {
  return (await readBody(api.GET('/api/admin/v1/swap/{id}', { params: { path: { id } } }))).data
}

async function readMessages(id: number, body: { reason: string; cursor?: string; limit: number }) {
  return (await readBody(api.POST('/api/admin/v1/swap/{id}/messages', { params: { path: { id } }, body }))).data
    .messages
}

/**
 * One swap: who gives what, how it came to be, its dispute, and what both wrote, where there is a reason to read it.
 */
export const SwapPage = recordPage('swap', loadSwap, Known)

function Known({ data }: { data: SwapDetails }) {
  const mayResolve = useMay('swaps')
  const { swap, dispute } = data
  return (
    <Stack>
      <PageHeader
        title={t('Swap no. {id}', { id: String(swap.id) })}
        state={<State of={swap.status} />}
        about={<>{rich('Proposed {when}', { when: <Moment key="when" at={swap.created_at} /> })}</>}
      >
        {mayResolve && swap.status === 'disputed' && <ResolveDispute id={swap.id} />}
      </PageHeader>
      {dispute !== null && <Dispute swap={swap} dispute={dispute} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <SideCard swap={swap} side="requester" gives="offered" />
        <SideCard swap={swap} side="owner" gives="requested" />
        <Rounds data={data} />
        <History
          changes={data.history.map(({ from_state: from, to_state: to, note, ...change }) => ({
            ...change,
            from,
            to,
            note: note === null ? null : inWords(note),
          }))}
          same={t('confirmed by one side')}
        />
      </SimpleGrid>
      {mayResolve && <Chat id={swap.id} swap={swap} />}
    </Stack>
  )
}

function nameSide(swap: SwapDetails['swap'], side: Side | null): string {
  if (side === null) return t('the service')
  return swap[side]?.name ?? t('a deleted account')
}

function Dispute({ swap, dispute }: { swap: SwapDetails['swap']; dispute: NonNullable<SwapDetails['dispute']> }) {
  const isOpen = dispute.resolution === null
  return (
    <Alert
      color={isOpen ? 'orange' : 'gray'}
      title={isOpen ? t('A dispute is open') : t('Dispute: {result}', { result: inWords(dispute.resolution ?? '') })}
    >
      <Text size="sm">
        {nameSide(swap, dispute.side)}, <Moment at={dispute.opened_at} />: {dispute.reason ?? t('no reason given')}
      </Text>
      {dispute.note !== null && (
        <Text size="sm" mt="xs">
          {rich('Resolved {when}: {note}', {
            when: <Moment key="when" at={dispute.resolved_at} />,
            note: dispute.note,
          })}
        </Text>
      )}
    </Alert>
  )
}

type SideProps = { swap: SwapDetails['swap']; side: Side; gives: 'offered' | 'requested' }

function SideCard({ swap, side, gives }: SideProps) {
  const products = swap.items.filter((item) => item.side === gives)
  return (
    <Facts
      title={side === 'requester' ? t('Who asks') : t('Who is asked')}
      facts={[
        [t('Person'), <Person key="p" of={swap[side]} />],
        [
          t('Gives'),
          products.map(({ product_id: id, title }) => (
            <div key={id}>
              <PageLink to={`/products/${id}`}>{title}</PageLink>
            </div>
          )),
        ],
      ]}
    />
  )
}

function Rounds({ data: { swap, rounds } }: { data: SwapDetails }) {
  return (
    <TitledCard title={t('Rounds')}>
      <Timeline bulletSize={14}>
        {rounds.map(({ round, proposed_by: by, offered, requested, note, created_at: at }) => (
          <Timeline.Item
            key={round}
            title={t('{round}. {name}: {offered} for {requested}', {
              round,
              name: nameSide(swap, by),
              offered: offered.length,
              requested: requested.length,
            })}
          >
            {note !== null && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {note}
              </Text>
            )}
            <Text size="sm" c="dimmed">
              <Moment at={at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </TitledCard>
  )
}

/** The chat of both sides: private, so it requires a reason, and the audit log records who read it. */
function Chat({ id, swap }: { id: number; swap: SwapDetails['swap'] }) {
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState<string>()
  return (
    <TitledCard title={t('Messages')}>
      {reason !== undefined ? (
        <Lines id={id} swap={swap} reason={reason} />
      ) : (
        <Form
          submit={() => setReason(typed.trim())}
          label={t('Show the messages')}
          color="quiet"
          isReady={typed.trim() !== ''}
        >
          <TextArea
            label={t('Why do you read what they wrote to each other?')}
            description={t('The audit log keeps your reason.')}
            maxLength={500}
            value={typed}
            onType={setTyped}
          />
        </Form>
      )}
    </TitledCard>
  )
}

function Lines({ id, swap, reason }: { id: number; swap: SwapDetails['swap']; reason: string }) {
  const messages = useInfiniteQuery({
    queryKey: ['swap-messages', id, reason],
    queryFn: ({ pageParam: cursor }) => readMessages(id, { reason, limit: 50, ...(cursor !== null && { cursor }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last?.next_cursor,
    // Each look is an entry of the audit log, so nothing that reloads the page makes another.
    staleTime: 'static',
  })
  const lines = (messages.data?.pages ?? []).flatMap((page) => page?.data ?? [])
  return (
    <Loaded
      of={messages}
      pending={120}
      isEmpty={() => lines.length === 0}
      empty={<Text c="dimmed">{t('They wrote nothing.')}</Text>}
    >
      {() => (
        <Stack gap="xs">
          {lines.map(({ id: line, sender_id: sender, text, created_at: at }) => (
            <div key={line}>
              <Text size="xs" c="dimmed">
                {nameSide(swap, sender === swap.requester?.id ? 'requester' : 'owner')} · <Moment at={at} />
              </Text>
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            </div>
          ))}
          {messages.hasNextPage && (
            <Button variant="subtle" loading={messages.isFetching} onClick={() => void messages.fetchNextPage()}>
              {t('Older messages')}
            </Button>
          )}
        </Stack>
      )}
    </Loaded>
  )
}
