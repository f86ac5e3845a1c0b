import type { PlaceCommand } from './command-line.ts'
import { withPool } from '../platform/db/connect.ts'
import { migrate } from '../platform/db/migrate.ts'
import { findPooling } from '../platform/db/pooling.ts'
import { startQueue } from '../platform/jobs/queue.ts'

export const migrateCommand: PlaceCommand = {
  doc: 'Update the schema, as a process of the service does when it starts.',
  runAt: async ({ config, log }) => {
    const url = config.DATABASE_URL
    const options = {
      max: 1,
      log,
      limits: { statementMs: 0, idleMs: 0, silenceMs: 0 },
      pooling: await findPooling(url),
    }
    const ran = await withPool(url, options, (pool) => migrate(pool, log))
    const queue = await startQueue({ url, works: false, log })
    await queue.close()
    return { text: ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.join(', ')}.`, isGood: true }
  },
}
