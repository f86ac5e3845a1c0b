import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { deepLink, type Place } from '../../platform/shared/deep-links.ts'
import { must } from '../../platform/shared/must.ts'
import { insertBatchesOfEach } from '../records/batches.queries.ts'
import type { NewContent } from './content.ts'
import { addCounts } from '../records/counts.queries.ts'
import { newMessage } from './messages.ts'
import { insertMessages } from '../records/messages.queries.ts'

/** What an automatic message needs of the service. */
export type AutomaticDeps = Pick<Deps, 'clock' | 'config' | 'queue'>

/**
 * A message that nobody wrote: the service tells users of what happened. It names records and never people, and a tap
 * leads to `place`.
 */
export type AutomaticSend = { userIds: number[]; content: NewContent; place: Place }

const KIND = {
  origin: 'automatic',
  type: 'non_promotional',
  audience: 'users',
  lane: 'transactional',
  needsOptIn: true,
} as const

/**
 * Sends several automatic messages, each to its own users, as part of the transaction that they tell of: in three
 * statements however many there are. They go by the users' preference and by the fast lane (spec: sending rules 1 to
 * 4). Gives the id of each message, null where it has no users.
 */
export async function sendEach(deps: AutomaticDeps, tx: Tx, sends: AutomaticSend[]): Promise<(number | null)[]> {
  const addressed = sends.filter((send) => send.userIds.length > 0)
  if (addressed.length === 0) return sends.map(() => null)
  const now = fromNow(deps.clock)
  const progress = { status: 'sending', coordinated_at: now, started_at: now } as const
  const userIds = addressed.map((send) => [...new Set(send.userIds)].toSorted((a, b) => a - b))
  const messageIds = await insertMessages(
    tx,
    addressed.map((send, i) =>
      newMessage(
        deps,
        KIND,
        { content: withLink(deps, send), senderId: null, userIds: must(userIds[i], 'users of a message') },
        progress,
      ),
    ),
  )
  await insertBatchesOfEach(tx, messageIds, userIds, now)
  announceAfter(deps.queue, tx)
  const selected = messageIds.map((messageId, i) => ({
    messageId,
    selected: must(userIds[i], 'users of a message').length,
  }))
  await addCounts(tx, selected, must(messageIds[0], 'id of a message'))
  const idOf = new Map(addressed.map((send, i) => [send, must(messageIds[i], 'id of a message')]))
  return sends.map((send) => idOf.get(send) ?? null)
}

function withLink({ config }: AutomaticDeps, { content, place }: AutomaticSend): NewContent {
  return { ...content, data: { ...content.data, link: deepLink(config, place) } }
}
