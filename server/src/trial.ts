import type { Deps } from './deps.ts'
import type { Config } from './platform/config/config.ts'
import type { Options, Outcome } from './platform/process/command.ts'
import type { Log } from './platform/shared/log.ts'

// Production has a database of its own and no demonstration data, so these modules are loaded only when they are used.

export async function startLocalPostgres(config: Config, log: Log): Promise<{ url: string; stop(): Promise<void> }> {
  const { startEmbeddedPostgres } = await import('../../local-postgres/src/embedded.ts')
  return startEmbeddedPostgres({ dataDir: config.DATA_DIR, log: (line) => log.info(line) })
}

/** The one that a trial runs on now, or else one that is started. */
export async function reachLocalPostgres(config: Config, log: Log): Promise<{ url: string; stop(): Promise<void> }> {
  const { findRunningPostgres } = await import('../../local-postgres/src/embedded-running.ts')
  const url = await findRunningPostgres(config.DATA_DIR)
  return url === undefined ? startLocalPostgres(config, log) : { url, stop: async () => undefined }
}

/** The JWT_SECRET that a trial made for itself. */
export async function findKeptSecret({ DATA_DIR }: Config): Promise<string | undefined> {
  const { readKeptSecret } = await import('../../scripts/trial-settings.ts')
  return readKeptSecret(DATA_DIR)
}

export async function fillWithDemoData(deps: Deps): Promise<void> {
  const { seedDemoData } = await import('../../tools/demo/demo.ts')
  await seedDemoData(deps)
}

export async function generateLoad(deps: Deps, options: Options): Promise<Outcome> {
  const { runGenerateLoad } = await import('../../tools/demo/load-command.ts')
  return runGenerateLoad(deps, options)
}
