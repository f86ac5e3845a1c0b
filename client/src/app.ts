import { APP_OPERATIONS } from './app-operations.ts'
import { createCalls, type Calls, type Settings } from './calls.ts'

export { events, follow, type ServerEvent } from './events.ts'
export { records } from './records.ts'
export { isRefusal, type Refusal } from './refusal.ts'
export type { Answer, Input, Settings } from './calls.ts'
export type { components } from './schema.ts'

/** A function for each call that an app makes. */
export type Swapbell = Calls<keyof typeof APP_OPERATIONS>

/**
 * A client of the app. Each call resolves with the answer of a success, and rejects with a `Refusal` on any other
 * answer and when there is none.
 */
export function createClient(settings: Settings): Swapbell {
  return createCalls(APP_OPERATIONS, settings)
}
