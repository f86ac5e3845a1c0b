import type { Tx } from '../../platform/db/connect.ts'
import { sendEach, type AutomaticDeps, type AutomaticSend } from '../../push/messages/automatic.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import { PUSHES, type Facts, type Push } from './events.ts'
import { dropBlocked } from './told.queries.ts'

/**
 * An event: what is known of it, who is told, and the changes of state that it is. `by` is the person who acted. Null:
 * the service itself, or its staff, whom no block keeps out.
 */
export type MarketplaceEvent<Name extends keyof Facts = keyof Facts> = {
  [N in Name]: {
    name: N
    facts: Facts[N]
    by: number | null
    told: (number | null)[]
    changes?: StateChange[]
  }
}[Name]

/**
 * Does what events cause (`events.ts`), as part of the transaction in which they happen (decision D): the rows of
 * history, and a push to those who are told. Nobody is told who is gone, who acted, or who blocked the one who acted or
 * is blocked by them. In five statements however many events there are. Gives the id of the message of each event, null
 * where nobody is told.
 */
export async function publish(deps: AutomaticDeps, tx: Tx, events: MarketplaceEvent[]): Promise<(number | null)[]> {
  await recordStateChanges(
    tx,
    events.flatMap(({ changes = [] }) => changes),
  )
  const told = await findTold(tx, events)
  return sendEach(
    deps,
    tx,
    events.map((event, place) => toSend(event, told.get(place) ?? [])),
  )
}

/** The people to tell of each event, by its place in the list. */
async function findTold(tx: Tx, events: MarketplaceEvent[]): Promise<Map<number, number[]>> {
  const listeners = events.flatMap(({ told, by }, place) =>
    told.filter((userId) => userId !== null && userId !== by).map((userId) => ({ place, userId: Number(userId), by })),
  )
  if (listeners.length === 0) return new Map()
  const told = Map.groupBy(await dropBlocked(tx, listeners), (listener) => listener.place)
  return new Map([...told].map(([place, people]) => [place, people.map((person) => person.userId)]))
}

function toSend(event: MarketplaceEvent, userIds: number[]): AutomaticSend {
  const { place, ...content } = pushOf(event)
  return { userIds, content, place }
}

function pushOf<Name extends keyof Facts>({ name, facts }: { name: Name; facts: Facts[Name] }): Push {
  return PUSHES[name](facts)
}
