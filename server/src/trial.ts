import type { Deps } from './deps.ts'
import type { Config } from './platform/config/config.ts'
import type { Log } from './platform/shared/log.ts'

// Production has a database of its own and no demonstration data, so these modules are loaded only when they are used.

/** Starts the embedded PostgreSQL with its data in DATA_DIR. */
export async function startLocalPostgres(config: Config, log: Log): Promise<{ url: string; stop(): Promise<void> }> {
  const { startEmbeddedPostgres } = await import('../../local-postgres/src/embedded.ts')
  return startEmbeddedPostgres({ dataDir: config.DATA_DIR, log: (line) => log.info(line) })
}

/** Fills an empty database with the demonstration marketplace. */
export async function fillWithDemoData(deps: Deps): Promise<void> {
  const { seedDemoData } = await import('../../tools/demo/demo.ts')
  await seedDemoData(deps)
}

/** Fills a database without users with generated data, for measuring. */
export const generateLoadCommand = {
  doc: 'Fill a database without users for measuring: --users 1000000 --activity 10000000.',
  run: async (deps: Deps, options: Record<string, unknown>): Promise<{ text: string; isGood: boolean }> => {
    const { runGenerateLoad } = await import('../../tools/demo/load-command.ts')
    return runGenerateLoad(deps, options)
  },
}
