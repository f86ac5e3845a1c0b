import type { Tx } from '../../platform/db/connect.ts'
import type { About } from '../../platform/tables/about.ts'
import { findSubject } from '../../platform/events/deep-links.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { sendEach, type AutomaticSend } from '../../push/messages/automatic.ts'
import { displayName } from '../../push/messages/shown-name.ts'
import { toLocale, render } from '../texts/texts.ts'
import { TRIGGERS, type Facts, type Push } from './events.ts'
import { listRecipients } from './recipients.queries.ts'

/** `by`: the person who acted; null for the service and its staff, whom no block keeps out. */
export type MarketplaceEvent<Name extends keyof Facts = keyof Facts> = {
  [N in Name]: { name: N; facts: Facts[N]; by: number | null; recipients: (number | null)[] }
}[Name]

/** Sends the pushes of events in their transaction (decision D). Not told: who acted, who is gone, and across a
 * block. Gives a message's id for each event, null where nobody is told. */
export async function publish(work: Work, events: MarketplaceEvent[]): Promise<(number | null)[]> {
  const readers = await findReaders(work.tx, events)
  const alike = Map.groupBy(readers, (reader) =>
    [reader.place, reader.locale, isPersonal(reader) && reader.userId, reader.name].join(' '),
  )
  const groups = [...alike.values()]
  const ids = await sendEach(work, groups.map(toSend))
  const first = new Map(groups.map(([reader], index) => [reader?.place, ids[index] ?? null] as const).toReversed())
  return events.map((_, place) => first.get(place) ?? null)
}

type Reader = Awaited<ReturnType<typeof findReaders>>[number]

/** `name`: as a push shows it; empty where none is shown. */
async function findReaders(tx: Tx, events: MarketplaceEvent[]) {
  const listeners = events.flatMap(({ recipients, by }, place) =>
    recipients.flatMap((userId) => (userId === null || userId === by ? [] : [{ place, userId, by }])),
  )
  const people = listeners.length === 0 ? [] : await listRecipients(tx, listeners)
  return people.map(({ place, userId, language, name }) => {
    const event = must(events[place], 'event of a place')
    const push = toPush(event)
    const visible = push.named === undefined ? '' : displayName(name ?? '')
    return { place, userId, event, push, locale: toLocale(language), name: visible }
  })
}

/** A block between two people, a merge key, and what is read with its record belong to a message to one person. */
function isPersonal({ event, push }: Reader): boolean {
  return (event.by ?? push.mergeKey ?? findSubject(push.place)) !== null
}

/** The readers of a group get the same words. */
function toSend(group: Reader[]): AutomaticSend {
  const first = must(group[0], 'reader of a push')
  const { event, push, locale, name } = first
  const { kind, quietMs } = TRIGGERS[event.name]
  const { text, named, values, data, place, mergeKey, isEnd } = push
  const key = named === undefined || name === '' ? text : named
  return {
    userIds: group.map(({ userId }) => userId),
    event: kind,
    // The sender stands in the message even if this text has no name: a later text with a name may rewrite it.
    senderId: named === undefined ? null : event.by,
    content: (count) => ({ ...render(locale, key, { ...values, count, name }), data: { event: kind, ...data } }),
    place,
    about: toAbout(first),
    mergeKey: mergeKey ?? null,
    ...(isEnd !== undefined && { isEnd }),
    ...(quietMs !== undefined && { quietMs }),
  }
}

/** Who acted, and who is told, may block each other while the push waits. */
function toAbout({ event: { by }, userId, push: { about } }: Reader): About | null {
  return by === null ? (about ?? null) : { ...(about ?? { kind: 'people' }), between: [by, userId] }
}

function toPush<Name extends keyof Facts>({ name, facts }: { name: Name; facts: Facts[Name] }): Push {
  return TRIGGERS[name].push(facts)
}
