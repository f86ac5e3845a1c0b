import type { PlaceCommand } from './command-line.ts'
import { withPool } from '../platform/db/connect.ts'
import { readHomes } from '../platform/db/homes.ts'
import { divide, hasCitus, migrate } from '../platform/db/migrate.ts'
import { readVersion } from '../platform/db/migrations.ts'
import { findPooling } from '../platform/db/pooling.ts'
import { startQueue } from '../platform/jobs/queue.ts'
import { errors } from '../platform/shared/errors.ts'

/** What the doctor says too. */
export const NOT_DIVIDED =
  'The database has the extension citus and is not divided: `manage divide` does that (docs/divided.md).'

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

export const divideCommand: PlaceCommand = {
  doc: 'Divide a plain database among the workers of its Citus; the service is stopped.',
  options: { homes: { takes: 'NUMBER', doc: 'Into how many homes: 2 to 64, and 32 if absent.' } },
  runAt: async ({ config, log }, { homes }) => {
    const wished = homes === undefined ? undefined : readNumber(homes)
    const url = config.DATABASE_URL
    if ((await findPooling(url)) === 'transaction')
      throw new Error('This takes longer than a pooler in transaction mode allows: connect to PostgreSQL directly.')
    const from = performance.now()
    return withPool(url, { max: 1, log, limits: { statementMs: 0, idleMs: 0, silenceMs: 0 } }, async (pool) => {
      const { fault } = await readVersion(pool)
      if (fault !== undefined) throw new Error(fault)
      const count = await readHomes(pool)
      if (count > 1) throw new Error(`The database is divided already, into ${count} homes.`)
      await divide(pool, wished)
      const minutes = ((performance.now() - from) / 60_000).toFixed(1)
      const text = `The ledger and the inbox are divided into ${await readHomes(pool)} homes, in ${minutes} minutes.`
      return { text, isGood: true }
    })
  },
}

function readNumber(homes: string): number {
  const number = Number(homes)
  if (Number.isInteger(number) && number >= 2 && number <= 64) return number
  throw errors.badRequest('--homes takes a whole number from 2 to 64.')
}
