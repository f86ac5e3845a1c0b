import { checkedBackup, HEADER_BYTES, type BackupFacts } from '../administration/backup/backup-file.ts'
import { takeBackup } from '../administration/backup/backup.ts'
import { advanceSequences, analyze, findAuditEnd } from '../administration/backup/backup.queries.ts'
import { findProgram, toLibpq } from '../administration/backup/postgres-programs.ts'
import { expectRestorable, restoreArchive } from '../administration/backup/restore.ts'
import type { PlaceCommand } from './command-line.ts'
import type { Place } from '../platform/process/command.ts'
import { revokeSessionsOfRoles } from '../identity/sessions/sessions.queries.ts'
import { recordAuditAlone, THE_SERVICE } from '../platform/audit/audit.ts'
import { expectOwnKey, openAuditKeys, registerAuditKey } from '../platform/audit/keys.ts'
import { readTls } from '../platform/config/database-url.ts'
import { VERSION } from '../platform/shared/release.ts'
import { createDatabaseClock } from '../platform/db/clock.ts'
import { queryBuilder, withPool, type Db, type DbPool } from '../platform/db/connect.ts'
import { readHomes } from '../platform/db/homes.ts'
import { migrate } from '../platform/db/migrate.ts'
import { readVersion } from '../platform/db/migrations.ts'
import { findPooling } from '../platform/db/pooling.ts'
import { fromNow, type Clock } from '../platform/shared/clock.ts'
import { ROLES } from '../platform/shared/words.ts'
import { beginRestore, doubtUnsent, endRestore } from '../push/status/restored.ts'

// More ids than a service uses between two backups.
const IDS_AHEAD = 10_000_000
const ENDS_SESSIONS = { doc: 'End the sessions of all users too, not only those of administrators.' }

export const backupCommand: PlaceCommand = {
  doc: 'Back up the whole database into a file; the service may run meanwhile.',
  options: { to: { takes: 'FILE', isRequired: true, doc: 'A file that does not exist yet.' } },
  runAt: async (place, { to = '' }) => {
    const pgDump = await findProgram('pg_dump')
    return onDatabase(place, async ({ db, pool }) => {
      const { fault } = await readVersion(pool)
      if (fault !== undefined) throw new Error(fault)
      if (pool.homes > 1) throw new Error('A divided database is backed up server by server: see docs/divided.md.')
      const { address, program } = toLibpq(toAddress(place), pgDump)
      const { facts, bytes } = await takeBackup({ db, address, pgDump: program, appVersion: VERSION }, to)
      return { text: `Backed up ${describe(facts)}.\n${to} has ${HEADER_BYTES + bytes} bytes.`, isGood: true }
    })
  },
}

export const restoreCommand: PlaceCommand = {
  doc: 'Restore a backup into the empty database of DATABASE_URL, and halt sending there.',
  options: {
    from: { takes: 'FILE', isRequired: true, doc: 'What backup wrote.' },
    'end-sessions': ENDS_SESSIONS,
    planned: {
      doc: 'The service was stopped before the backup, so nothing was sent since: do not halt, and mark no message.',
    },
  },
  runAt: async (place, { from = '', 'end-sessions': endsAll, planned }) => {
    const facts = await checkedBackup(from)
    const pgRestore = await findProgram('pg_restore')
    return onDatabase(place, async (target) => {
      const { db, pool, clock } = target
      await expectRestorable({ db, pgRestore }, facts)
      const { address, program } = toLibpq(toAddress(place), pgRestore)
      await restoreArchive(from, { pgRestore: program, address }, async () => {
        if (planned === undefined) await beginRestore({ db, clock })
        await advanceSequences(db, IDS_AHEAD)
      })
      const kept = await findAuditEnd(db)
      const ran = await migrate(pool, place.log)
      const doubts = planned === undefined ? await doubt(target, endsAll !== undefined) : []
      await analyze(db)
      const lines = [
        `Restored ${describe(facts)}.`,
        ...(ran.length > 0 ? [`Ran ${ran.join(', ')}.`] : []),
        ...(kept?.head === facts.audit?.head
          ? []
          : ['The audit log does not end as the backup says: run verify-audit.']),
        await audited(place, target, facts),
        ...doubts,
      ]
      return { text: lines.join('\n'), isGood: kept?.head === facts.audit?.head }
    })
  },
}

export const afterRecoveryCommand: PlaceCommand = {
  doc: 'Make a database usable that PostgreSQL recovered to an earlier moment: halt sending, as restore does.',
  options: { 'end-sessions': ENDS_SESSIONS },
  runAt: async (place, { 'end-sessions': endsAll }) =>
    onDatabase(place, async (target) => {
      const { db, pool, clock } = target
      const { fault } = await readVersion(pool)
      if (fault !== undefined) throw new Error(fault)
      const taken_at = fromNow(clock).toISOString()
      await beginRestore({ db, clock })
      await advanceSequences(db, IDS_AHEAD)
      const audit = await findAuditEnd(db)
      const doubts = await doubt(target, endsAll !== undefined)
      return {
        text: [await audited(place, target, { taken_at, app_version: VERSION, audit }), ...doubts].join('\n'),
        isGood: true,
      }
    }),
}

type Target = { db: Db; pool: DbPool; clock: Clock }

async function onDatabase<T>({ config, log }: Place, work: (target: Target) => Promise<T>): Promise<T> {
  const url = config.DATABASE_URL
  if ((await findPooling(url)) === 'transaction')
    throw new Error('A backup takes longer than a pooler in transaction mode allows: connect to PostgreSQL directly.')
  const time = createDatabaseClock(log)
  const limits = { statementMs: 0, lockMs: 60_000, idleMs: 0, silenceMs: 0 }
  return withPool(url, { max: 2, log, onServer: time.setByServer, limits }, async (pool) => {
    pool.homes = await readHomes(pool)
    return work({ db: queryBuilder(pool), pool, clock: time.clock })
  })
}

/** What was sent since the backup is not known: pushes are doubted, sessions end. */
async function doubt(target: Target, endsAll: boolean): Promise<string[]> {
  const { messages, copies } = await doubtUnsent(target)
  const roles = ROLES.filter((role) => endsAll || role !== 'user')
  const why = { reason: 'restored from a backup', now: fromNow(target.clock) }
  const sessions = await revokeSessionsOfRoles(target.db, { roles, ...why })
  await endRestore(target)
  return [
    'Sending is halted. What is sent of messages that were not over may have been sent after the backup, and counts as possible duplicates.',
    `Messages that were not over: ${messages}; copies of them that were tried or waited for it: ${copies}.`,
    `Sessions of ${endsAll ? 'users and administrators' : 'administrators'} that have ended: ${sessions}.`,
    'Start the service, stop the campaigns that went out after the backup, then run `manage resume`.',
  ]
}

/** Writes an entry about the restore, if the secret of the audit log is known. Gives a sentence that says so. */
async function audited(
  { config, hasSecret }: Place,
  { db, clock }: Target,
  facts: Pick<BackupFacts, 'taken_at' | 'app_version' | 'audit'>,
): Promise<string> {
  if (!hasSecret) return 'The audit log does not tell of this: neither AUDIT_SECRET nor JWT_SECRET is set.'
  const deps = { db, clock, config, auditKeys: await openAuditKeys(db, config) }
  try {
    await expectOwnKey(deps)
  } catch (error) {
    return `The audit log does not tell of this. ${(error as Error).message}`
  }
  await registerAuditKey(deps)
  const { taken_at, app_version, audit } = facts
  const change = { after: { taken_at, app_version, audit_entries: audit?.entries ?? 0 } }
  await recordAuditAlone(deps, THE_SERVICE, { action: 'database.restore', entity: 'database', change })
  return 'The audit log has an entry about this.'
}

function toAddress({ config: { DATABASE_URL: url }, env }: Place) {
  return { url, tls: readTls(url), env }
}

function describe({ database, taken_at, app_version, server_version, audit, unfinished }: BackupFacts): string {
  const of = `${database} as of ${taken_at} (version ${app_version}, PostgreSQL ${server_version})`
  return `${of}; entries of the audit log: ${audit?.entries ?? 0}, messages that were not over: ${unfinished}`
}
