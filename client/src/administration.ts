import { ADMINISTRATION_OPERATIONS } from './administration-operations.ts'
import { APP_OPERATIONS } from './app-operations.ts'
import { createCalls, type Calls, type Settings } from './calls.ts'

export { events, follow, type ServerEvent } from './events.ts'
export { records } from './records.ts'
export { isRefusal, type Refusal } from './refusal.ts'
export type { Answer, Input, Settings } from './calls.ts'
export type { components } from './schema.ts'

/** A function for each call of the API: those of an app, and those of administrators. */
export type Administration = Calls<keyof typeof APP_OPERATIONS | keyof typeof ADMINISTRATION_OPERATIONS>

/**
 * A client of everything. Each call resolves with the answer of a success, and rejects with a `Refusal` on any other
 * answer and when there is none.
 */
export function createClient(settings: Settings): Administration {
  return createCalls({ ...APP_OPERATIONS, ...ADMINISTRATION_OPERATIONS }, settings)
}
