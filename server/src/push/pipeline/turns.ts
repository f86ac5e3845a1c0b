import { createSemaphore, type Semaphore } from '../../platform/concurrency/semaphore.ts'

// Connections that claims and settling leave to the gates, the pace and the poller.
const CONNECTIONS_LEFT = 3

/** Absent: those of one provider need none. */
export type Turns = { turns?: Semaphore | undefined }

/**
 * The lanes of several providers are more than the connections of the pool. So their claims and what they settle take
 * turns, or a gate gets no connection in time, and no request begins (ADR 4).
 */
export function createTurns(providers: number, pool: number): Semaphore | undefined {
  return providers > 1 ? createSemaphore(Math.max(pool - CONNECTIONS_LEFT, 1)) : undefined
}

/** An urgent one is next. */
export async function inTurn<T>({ turns }: Turns, isUrgent: boolean, change: () => Promise<T>): Promise<T> {
  return turns === undefined ? change() : turns.run(change, { isUrgent })
}
