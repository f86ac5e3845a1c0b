import type { Tx } from '../../platform/db/connect.ts'
import { sendEach, type AutomaticDeps, type AutomaticSend } from '../../push/messages/automatic.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import { PUSHES, type Facts, type Push } from './events.ts'

/** An event: what is known of it, who is told, and the changes of state that it is. */
export type MarketplaceEvent<Name extends keyof Facts = keyof Facts> = {
  [N in Name]: { name: N; facts: Facts[N]; told: (number | null)[]; changes?: StateChange[] }
}[Name]

/**
 * Does what events cause (`events.ts`), as part of the transaction in which they happen (decision D): the rows of
 * history, and a push to those who are told; nobody is told of an event whose person is gone. In four statements
 * however many events there are. Gives the id of the message of each event, null where nobody is told.
 */
export async function publish(deps: AutomaticDeps, tx: Tx, events: MarketplaceEvent[]): Promise<(number | null)[]> {
  await recordStateChanges(
    tx,
    events.flatMap(({ changes = [] }) => changes),
  )
  return sendEach(deps, tx, events.map(toSend))
}

function toSend(event: MarketplaceEvent): AutomaticSend {
  const { place, ...content } = pushOf(event)
  return { userIds: event.told.filter((userId) => userId !== null), content, place }
}

function pushOf<Name extends keyof Facts>({ name, facts }: { name: Name; facts: Facts[Name] }): Push {
  return PUSHES[name](facts)
}
