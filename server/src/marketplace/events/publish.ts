import { workIn, type Ground, type Work } from '../../platform/work/work.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { sendEach, type AutomaticSend } from '../../push/messages/automatic.ts'
import { must } from '../../platform/shared/must.ts'
import { shownName } from '../../push/messages/shown-name.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import { localeOf, render } from '../texts/texts.ts'
import { TRIGGERS, type Facts, type Push } from './events.ts'
import { listTold } from './told.queries.ts'

/** `by`: the person who acted; null for the service and its staff, whom no block keeps out. */
export type MarketplaceEvent<Name extends keyof Facts = keyof Facts> = {
  [N in Name]: {
    name: N
    facts: Facts[N]
    by: number | null
    told: (number | null)[]
    changes?: StateChange[]
  }
}[Name]

/** `name`: as a push shows it; empty where none is shown. */
type Told = { locale: ReturnType<typeof localeOf>; name: string; userIds: number[] }

/** Records changes and sends pushes, in the transaction of the events (decision D). Not told: who acted, who is
 * gone, and across a block. Gives a message's id for each event, null where nobody is told. */
export function publish(work: Work, events: MarketplaceEvent[]): Promise<(number | null)[]>
export function publish(deps: Ground, tx: Tx, events: MarketplaceEvent[]): Promise<(number | null)[]>
export async function publish(
  ...given: [work: Work, events: MarketplaceEvent[]] | [deps: Ground, tx: Tx, events: MarketplaceEvent[]]
): Promise<(number | null)[]> {
  const [work, events] = given.length === 2 ? given : [workIn(given[0], given[1]), given[2]]
  const { tx } = work
  const changes = events.flatMap((event) => event.changes ?? [])
  await recordStateChanges(tx, changes)
  const told = await findTold(tx, events)
  const sends = events.flatMap((event, place) => (told.get(place) ?? []).map((group) => ({ place, group, event })))
  const pushes = sends.map(({ event, group }) => toSend(event, group))
  const ids = await sendEach(work, pushes)
  const first = new Map(sends.map(({ place }, index) => [place, ids[index] ?? null] as const).toReversed())
  return events.map((_, place) => first.get(place) ?? null)
}

async function findTold(tx: Tx, events: MarketplaceEvent[]): Promise<Map<number, Told[]>> {
  const listeners = events.flatMap(({ told, by }, place) =>
    told.flatMap((userId) => (userId === null || userId === by ? [] : [{ place, userId, by }])),
  )
  if (listeners.length === 0) return new Map()
  const byEvent = Map.groupBy(await listTold(tx, listeners), (one) => one.place)
  return new Map(
    [...byEvent].map(([place, people]) => {
      const { named, mergeKey } = pushOf(must(events[place], 'event of a place'))
      const shown = people.map(({ userId, language, name }) => ({
        userId,
        locale: localeOf(language),
        name: named === undefined ? '' : shownName(name ?? ''),
      }))
      // A merge key is of one person.
      const alike = Map.groupBy(shown, ({ locale, name, userId }) => `${locale} ${mergeKey && userId} ${name}`)
      return [
        place,
        [...alike.values()].map((of) => ({
          ...must(of[0], 'person who is told'),
          userIds: of.map((one) => one.userId),
        })),
      ]
    }),
  )
}

function toSend(event: MarketplaceEvent, { locale, name, userIds }: Told): AutomaticSend {
  const { kind, quietMs } = TRIGGERS[event.name]
  const { text, named, values, data, place, about, mergeKey, isEnd } = pushOf(event)
  const key = named === undefined || name === '' ? text : named
  return {
    userIds,
    event: kind,
    // The sender stands in the message even if this text has no name: a later text with a name may rewrite it.
    senderId: named === undefined ? null : event.by,
    content: (count) => ({ ...render(locale, key, { ...values, count, name }), data: { event: kind, ...data } }),
    place,
    about: about ?? null,
    mergeKey: mergeKey ?? null,
    ...(isEnd !== undefined && { isEnd }),
    ...(quietMs !== undefined && { quietMs }),
  }
}

function pushOf<Name extends keyof Facts>({ name, facts }: { name: Name; facts: Facts[Name] }): Push {
  return TRIGGERS[name].push(facts)
}
