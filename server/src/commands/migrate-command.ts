import type { PlaceCommand } from './command-line.ts'
import { withPool } from '../platform/db/connect.ts'
import { readHomes } from '../platform/db/homes.ts'
import { hasCitus, migrate } from '../platform/db/migrate.ts'
import { findPooling } from '../platform/db/pooling.ts'
import { startQueue } from '../platform/jobs/queue.ts'

/** What the doctor says too. */
export const NOT_DIVIDED =
  'The database has the extension citus and is not divided: only an empty one is, when it is made (docs/divided.md).'

export const migrateCommand: PlaceCommand = {
  doc: 'Update the schema, as a process of the service does when it starts.',
  options: {
    homes: { takes: 'NUMBER', doc: 'The homes of an empty database that Citus divides: 2 to 64, and 32 if absent.' },
  },
  runAt: async ({ config, log }, { homes }) => {
    const wished = homes === undefined ? undefined : readNumber(homes)
    const url = config.DATABASE_URL
    const options = {
      max: 1,
      log,
      limits: { statementMs: 0, idleMs: 0, silenceMs: 0 },
      pooling: await findPooling(url),
    }
    const { ran, count, isCitus } = await withPool(url, options, async (pool) => ({
      ran: await migrate(pool, log, { homes: wished }),
      count: await readHomes(pool),
      isCitus: await hasCitus(pool),
    }))
    const queue = await startQueue({ url, works: false, log })
    await queue.close()
    const lines = [
      ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.join(', ')}.`,
      ...(isCitus && count === 1 ? [NOT_DIVIDED] : []),
      ...(isCitus && count > 1 ? [`The ledger and the inbox are divided into ${count} homes.`] : []),
      ...(wished === undefined || wished === count
        ? []
        : [`The homes of a database are fixed when it is made: ${count}.`]),
    ]
    return { text: lines.join('\n'), isGood: wished === undefined || wished === count }
  },
}

function readNumber(homes: string): number {
  const number = Number(homes)
  if (Number.isInteger(number) && number >= 2 && number <= 64) return number
  throw new Error('--homes takes a whole number from 2 to 64.')
}
