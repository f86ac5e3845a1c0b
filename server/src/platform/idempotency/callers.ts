import type { Tx } from '../db/connect.ts'
import { forgetAnswers } from './idempotency.queries.ts'

/** How a user who is signed in stands as the caller of a kept answer. */
export function callerOf(userId: number): string {
  return `user:${userId}`
}

/** Forgets the answers that these people were given, and what kept answers tell of them, as when accounts are purged (ADR 031). */
export async function forgetInAnswers(tx: Tx, userIds: number[]): Promise<void> {
  await forgetAnswers(tx, userIds.map(callerOf), userIds)
}
