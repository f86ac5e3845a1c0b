import { buildApp } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { createDeps } from './deps.ts'
import { ensureFirstAdmin } from './features/auth/auth.ts'
import { seedDemoData } from './demo/demo.ts'
import { createLog, type Log } from './shared/log.ts'
import { startWorker } from './worker.ts'

const FORCE_AFTER_MS = 25_000

const read = readConfig(process.env)
if ('faults' in read) {
  process.stderr.write(`The configuration is not usable:\n${read.faults.map((fault) => `  - ${fault}\n`).join('')}`)
  process.exit(1)
}
const log = createLog(read.config.LOG_LEVEL)
const running = await start(read.config, log).catch((error: unknown) => {
  log.fatal({ err: error }, 'the service cannot start')
  process.exit(1)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutDown(signal))
process.on('disconnect', () => shutDown('the parent process ended'))
process.on('unhandledRejection', (error) => {
  log.fatal({ err: error }, 'unhandled rejection')
  shutDown('a fault', 1)
})
process.send?.({ ready: true, url: running.url })

/** Starts what PROCESS asks for; gives the address of the API, if there is one, and what stops it all in order. */
async function start(settings: Config, logger: Log): Promise<{ url: string | undefined; stop: () => Promise<void> }> {
  const postgres =
    settings.DATABASE_URL === ''
      ? await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, log: (line) => logger.info(line) })
      : undefined
  const config = postgres ? { ...settings, DATABASE_URL: postgres.url } : settings
  const { deps, close } = await createDeps(config, logger)
  await ensureFirstAdmin(deps)
  if (config.DEMO_DATA === 'on') await seedDemoData(deps)
  const worker = config.PROCESS === 'web' ? undefined : await startWorker(deps)
  const { app } = await buildApp(deps)
  const url = config.PROCESS === 'worker' ? undefined : await app.listen({ port: config.PORT, host: config.HOST })
  logger.info({ process: config.PROCESS, url }, 'started')
  const stop = async () => {
    deps.lifecycle.draining = true
    await app.close()
    await worker?.stop()
    await close()
    await postgres?.stop()
  }
  return { url, stop }
}

/** Stops in order; a second signal, or a stop that takes too long, ends the process at once. */
function shutDown(reason: string, code = 0): void {
  if (stopping) process.exit(1)
  stopping = true
  log.info({ reason }, 'stopping')
  setTimeout(() => process.exit(1), FORCE_AFTER_MS).unref()
  running.stop().then(
    () => process.exit(code),
    (error: unknown) => {
      log.error({ err: error }, 'stopping failed')
      process.exit(1)
    },
  )
}
