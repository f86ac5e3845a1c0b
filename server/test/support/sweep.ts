import type { Deps } from '../../src/deps.ts'
import { createHandlers } from '../../src/handlers.ts'

/** The chores of each minute, as a worker runs them. */
export async function sweep(deps: Deps): Promise<void> {
  await createHandlers(deps).sweep({}, new AbortController().signal)
}
