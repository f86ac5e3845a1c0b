import type { Source } from '../../platform/db/one-message.ts'
import { divideAudience } from './audience-counts.ts'
import { FEW, findPeople, listPeople, type PeopleFilter, type PersonRow } from './people.queries.ts'
import type { MessageRow } from './campaigns.queries.ts'
import { listCopiesFor, type CopyRow } from './recipients.queries.ts'
import type { UserMessageRow } from './user-messages.queries.ts'

/** A person of a message's audience, and what became of it for them. */
type MessagePerson = Pick<PersonRow, 'user_id' | 'name' | 'email'> &
  Pick<UserMessageRow, 'outcome' | 'skip_reason' | 'skipped_at'> & { copies: CopyRow[] }

// A frequent name and a rare outcome: a page looks at so many people, and may have few rows.
const LOOKED_AT = 200

/** They are in the order of ids. `next`: after whom the next page begins; a page may be short before the last. */
export async function pageOfPeople(
  source: Source,
  message: MessageRow,
  filter: PeopleFilter,
  { after, limit }: { after: number; limit: number },
): Promise<{ people: MessagePerson[]; next: number | undefined }> {
  const isEmpty = filter.skip_reason !== undefined && filter.status !== 'skipped'
  if (isEmpty || message.notifications_deleted_at !== null) return { people: [], next: undefined }
  const isFiltered = [filter.status, filter.platform, filter.skip_reason].some((value) => value !== undefined)
  const most = isFiltered ? Math.max(LOOKED_AT, limit + 1) : limit + 1
  const found = await findPeople(source, message, filter, {
    after,
    limit: most,
    isFew: countPeople(message, filter) <= FEW,
  })
  const fitting = (await tellOutcomes(source, message, [...new Set(found)])).filter((person) => fits(person, filter))
  const people = fitting.slice(0, limit)
  if (fitting.length > limit) return { people, next: people.at(-1)?.user_id }
  return { people, next: found.length === most ? found.at(-1) : undefined }
}

function countPeople(message: MessageRow, { status, skip_reason: reason }: PeopleFilter): number {
  const { skipped } = divideAudience(message)
  if (reason !== undefined) return skipped[reason]
  if (status === 'skipped') return Object.values(skipped).reduce((sum, count) => sum + count, 0)
  return status === undefined ? Infinity : message[status]
}

async function tellOutcomes(source: Source, message: MessageRow, userIds: number[]): Promise<MessagePerson[]> {
  const [people, copies] = await Promise.all([
    listPeople(source, message, userIds),
    listCopiesFor(source, message.message_id, userIds),
  ])
  const byPerson = Map.groupBy(copies, (copy) => copy.user_id)
  return people.flatMap((person) => toOutcomes(message, person, byPerson.get(person.user_id) ?? []))
}

/** None for somebody whom the message did not select. */
function toOutcomes({ status, completed_at }: MessageRow, person: PersonRow, copies: CopyRow[]): MessagePerson[] {
  const { skip_reason, skipped_at, is_left: isLeft, ...who } = person
  const none = { skip_reason: null, skipped_at: null, copies }
  if (copies.length > 0) return [{ ...who, ...none, outcome: 'notified' }]
  if (skip_reason !== null) return [{ ...who, outcome: 'skipped', skip_reason, skipped_at, copies }]
  if (!isLeft || status === 'completed') return []
  return status === 'stopped'
    ? [{ ...who, outcome: 'skipped', skip_reason: 'stopped', skipped_at: completed_at, copies }]
    : [{ ...who, ...none, outcome: 'waiting' }]
}

function fits({ outcome, skip_reason, copies }: MessagePerson, filter: PeopleFilter): boolean {
  const { status, platform } = filter
  if (filter.skip_reason !== undefined && skip_reason !== filter.skip_reason) return false
  if (status === 'skipped') return outcome === 'skipped'
  if (status === undefined && platform === undefined) return true
  return copies.some(
    (copy) =>
      (platform === undefined || copy.platform === platform) && (status === undefined || HAS_STATUS[status](copy)),
  )
}

const HAS_STATUS = {
  sent: (copy: CopyRow) => copy.is_send,
  delivered: (copy: CopyRow) => copy.is_delivered === true,
  opened: (copy: CopyRow) => copy.is_open,
  failed: (copy: CopyRow) => copy.settled_at !== null && copy.is_delivered !== true,
}
