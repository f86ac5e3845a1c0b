import { buildApp, createShared } from '../../src/app.ts'
import type { Deps } from '../../src/deps.ts'
import type { ConnectionTimes } from '../../src/platform/server/connections.ts'

// All applications of a worker share it.
const SHARED = createShared(true)

/** The application, in a fraction of the time that the first one of a process takes. */
export function buildAnother(deps: Deps, times?: ConnectionTimes): ReturnType<typeof buildApp> {
  return buildApp(deps, times, SHARED)
}
