import type { Command } from './command-line.ts'
import type { Deps } from './deps.ts'
import type { Config } from './platform/config/config.ts'
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
export async function keptSecretOf({ DATA_DIR }: Config): Promise<string | undefined> {
  const { readKeptSecret } = await import('../../scripts/trial-settings.ts')
  return readKeptSecret(DATA_DIR)
}

export async function fillWithDemoData(deps: Deps): Promise<void> {
  const { seedDemoData } = await import('../../tools/demo/demo.ts')
  await seedDemoData(deps)
}

export const generateLoadCommand: Command = {
  doc: 'Fill a database without users, for measuring.',
  options: {
    users: { takes: 'N', isRequired: true, doc: 'How many users, for example 1000000.' },
    activity: { takes: 'N', isRequired: true, doc: 'How many rows of activity, for example 10000000.' },
  },
  run: async (deps, options) => {
    const { runGenerateLoad } = await import('../../tools/demo/load-command.ts')
    return runGenerateLoad(deps, options)
  },
}
