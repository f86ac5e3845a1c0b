import type { Clock } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { PushOutcome } from '../provider/provider.ts'

export type FailureLog = ReturnType<typeof createFailureLog>

const TOLD_EVERY_MS = 60_000

/** What a provider did not accept: a line for each code, at most one a minute, with the copies since the last. */
export function createFailureLog({ log, clock }: { log: Log; clock: Clock }, provider: string) {
  const causes = new Map<string, { loggedAt: number; copies: number }>()
  /** Tells what has waited for its line. */
  const tell = () => {
    const now = clock.now()
    for (const [code, cause] of causes) {
      if (cause.copies === 0 || now - cause.loggedAt < TOLD_EVERY_MS) continue
      log.warn({ provider, code, copies: cause.copies }, 'the provider did not accept pushes')
      causes.set(code, { loggedAt: now, copies: 0 })
    }
  }
  return {
    count: (answers: readonly { outcomes: readonly PushOutcome[] }[]) => {
      for (const { outcomes } of answers)
        for (const outcome of outcomes) {
          if (outcome.kind === 'accepted') continue
          const { loggedAt, copies } = causes.get(outcome.code) ?? { loggedAt: -Infinity, copies: 0 }
          causes.set(outcome.code, { loggedAt, copies: copies + 1 })
        }
      tell()
    },
    tell,
  }
}
