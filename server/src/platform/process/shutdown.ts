import type { Log } from '../shared/log.ts'

/** A second signal, or a stop that takes too long, ends the process at once. */
export function runUntilStopped(
  { stop, stopMs, waitsFor }: { stop: () => Promise<void>; stopMs: number; waitsFor: () => string[] },
  log: Log,
): void {
  const giveUp = () => {
    log.error({ waitsFor: waitsFor() }, 'the stop takes too long; the process ends now')
    process.exit(1)
  }
  let isStopping = false
  const shutDown = (reason: string, code: number) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ reason }, 'stopping')
    setTimeout(giveUp, stopMs).unref()
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutDown(signal, 0))
  process.on('disconnect', () => shutDown('the parent process ended', 0))
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    shutDown('a fault', 1)
  })
}
