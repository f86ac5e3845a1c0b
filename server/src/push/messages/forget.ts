import type { Tx } from '../../platform/db/connect.ts'
import { emptyMessages, emptyMessagesOfPeople } from '../records/messages.queries.ts'

/** Empties messages about purged people, in the purge's transaction (decision C7). */
export async function forgetMessages(tx: Tx, messageIds: number[]): Promise<void> {
  if (messageIds.length > 0) await emptyMessages(tx, messageIds)
}

/** What people wrote to others, and what was written to one of them alone (ADR 15). */
export async function forgetMessagesOfPeople(tx: Tx, userIds: number[]): Promise<void> {
  await emptyMessagesOfPeople(tx, userIds)
}
