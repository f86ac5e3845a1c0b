import { setTimeout as sleep } from 'node:timers/promises'
import { toErrorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { isDatabaseUnavailable, isLockTimeout } from '../db/transaction.ts'

const AGAIN_AFTER_MS = 500

/** Tries again while the database does not answer, up to `waitMs`, and says so; any other fault is thrown at once. */
export async function patiently<T>(
  { waitMs, log }: { waitMs: number; log: Log },
  attempt: () => Promise<T>,
): Promise<T> {
  const from = performance.now()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const waited = performance.now() - from
      // A command that changes the schema may hold a table for long.
      const mayPass = isDatabaseUnavailable(error) || isLockTimeout(error)
      if (!mayPass || waited >= waitMs) throw error
      log.warn(
        { err: toErrorMessage(error), waited_seconds: Math.round(waited / 1_000), most_seconds: waitMs / 1_000 },
        'the database does not answer: waiting for it',
      )
      await sleep(AGAIN_AFTER_MS)
    }
  }
}
