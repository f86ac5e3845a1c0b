import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Tx } from '../../platform/db/connect.ts'
import type { ExportFormat } from '../../platform/tables/marketplace-tables.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { AdministrationDeps } from '../deps.ts'
import { enqueue, newJobId } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { orClosed } from '../../platform/streams/or-closed.ts'
import { recordAudit, recordAuditAlone, type Actor } from '../../platform/audit/audit.ts'
import { followLink, signLink, markUsed } from '../../identity/sessions/links.ts'
import { findActiveAccount } from '../../identity/accounts/accounts.ts'
import type { Principal } from '../../platform/rights/principal.ts'
import { copyUsersOut, type UsersToCopy } from './users-export.queries.ts'
import { encode, ROW_SHAPE } from './encode.ts'
import { isMaskedFor, mayFetch } from './masking.ts'
import {
  beginExport,
  deleteExportsOfSearches,
  findChunk,
  findExport,
  finishExport,
  giveUpExport,
  insertChunk,
  insertExport,
  updateExpectedRows,
  type StoredExport,
} from './exports.queries.ts'
import { XLSX_ROWS_MAX } from './xlsx.ts'

const KEPT_MS = 24 * 3_600_000
const LINK_SECONDS = 15 * 60
const CHUNK_BYTES = 1_048_576
const AT_ONCE = 4

export type WantedExport = Pick<UsersToCopy, 'filter' | 'columns'> & { format: ExportFormat; hasBom: boolean }

export type OpenedExport = { rows: number; file: Readable; given: Promise<number> }

/** A process opens at most four at once, because each holds a connection. */
export function createExports(deps: AdministrationDeps) {
  const running = new Set<Promise<OpenedExport>>()
  return {
    /** 422 when a worksheet cannot hold it; 503 when too many run. */
    open: async (wanted: WantedExport, actor: Actor): Promise<OpenedExport> => {
      if (running.size >= AT_ONCE) throw errors.unavailable()
      const isMasked = isMaskedFor(actor.role)
      const opening = openFile(deps, wanted, isMasked)
      running.add(opening)
      try {
        const opened = await opening
        opened.file.once('close', () => running.delete(opening))
        const entry = auditEntryOf(wanted, { rows: opened.rows, masked: isMasked })
        await orClosed(opened.file, () => recordAuditAlone(deps, actor, entry))
        return opened
      } catch (error) {
        running.delete(opening)
        throw error
      }
    },
    close: async (): Promise<void> => {
      for (const opened of await Promise.allSettled(running))
        if (opened.status === 'fulfilled') opened.value.file.destroy(new Error('The process stops.'))
    },
  }
}

export async function requestExport(
  deps: AdministrationDeps,
  tx: Tx,
  wanted: WantedExport,
  actor: Actor & { userId: number },
): Promise<number> {
  const { format, columns, hasBom, filter } = wanted
  const exportId = await insertExport(tx, {
    format,
    columns,
    filter: { ...filter },
    has_bom: hasBom,
    requested_by: actor.userId,
    requested_at: fromNow(deps.clock),
    expires_at: fromNow(deps.clock, KEPT_MS),
  })
  await enqueue(deps.queue, tx, 'run-export', [{ id: newJobId(), data: { exportId } }])
  const entry = auditEntryOf(wanted, { rows: null, masked: isMaskedFor(actor.role) })
  await recordAudit(tx, deps, actor, { ...entry, entityId: exportId })
  return exportId
}

/** Stores the file in pieces of 1 MiB. Safe to run again: it starts from the beginning. What it masks goes by the
 * right that its requester has now. */
export async function runExport(deps: AdministrationDeps, exportId: number, signal: AbortSignal): Promise<void> {
  const now = fromNow(deps.clock)
  const row = await findExport(deps.db, exportId, now)
  if (row === undefined) return
  const requester = await findActiveAccount(deps.db, row.requested_by)
  const isMasked = isMaskedFor(requester?.role ?? null)
  const attempt = await inTransaction(deps.db, (tx) => beginExport(tx, exportId, isMasked, now))
  if (attempt === undefined) return
  const run = { exportId, attempt }
  try {
    // The file is kept until the export expires, so nobody in it may be purged before.
    const wanted = wantedOf(row)
    const filter = { ...wanted.filter, keptUntil: row.expires_at }
    const { rows, file, given } = await openFile(deps, { ...wanted, filter }, isMasked)
    const sha256 = await orClosed(file, async () => {
      await updateExpectedRows(deps.db, exportId, rows)
      return store(deps, run, file, signal)
    })
    if (sha256 === undefined) return
    if ((await given) !== rows) throw new Error(`The export has ${await given} rows instead of ${rows}.`)
    await finishExport(deps.db, run, { status: 'done', sha256 }, fromNow(deps.clock))
  } catch (error) {
    if (signal.aborted) throw error
    const code = (error as { code?: string }).code ?? 'INTERNAL_ERROR'
    deps.log.error({ err: error, export_id: exportId }, 'an export failed')
    await finishExport(deps.db, run, { status: 'failed', error: code }, fromNow(deps.clock))
  }
}

export async function exportOf(
  { db, clock }: Pick<AdministrationDeps, 'db' | 'clock'>,
  exportId: number,
): Promise<StoredExport> {
  return existing(await findExport(db, exportId, fromNow(clock)), 'This export')
}

/** 409 INVALID_STATE when it is over already. */
export async function stopExport(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  exportId: number,
): Promise<StoredExport> {
  const now = fromNow(deps.clock)
  const isStopped = await giveUpExport(tx, exportId, 'CANCELLED', now)
  const stored = existing(await findExport(tx, exportId, now), 'This export')
  if (!isStopped) throw errors.invalidState('This export has already ended.')
  await recordAudit(tx, deps, actor, { action: 'users.export.cancel', entity: 'export', entityId: exportId })
  return stored
}

/** The link works for 15 minutes and one download (ADR 10). */
export function linkToFile(
  deps: AdministrationDeps,
  exportId: number,
  holder: Principal,
): { link: string; expiresAt: Date } {
  return signLink(deps, { holder, target: { purpose: 'export-file', id: exportId }, seconds: LINK_SECONDS })
}

/** The link works once, and leaves an audit entry. 404 when it is invalid or used, its holder may not export any
 * more, or there is no file. */
export async function openByLink(
  deps: AdministrationDeps,
  exportId: number,
  link: string,
  caller: Actor,
): Promise<{ stored: StoredExport; file: Readable }> {
  const target = { purpose: 'export-file', id: exportId } as const
  const followed = await followLink(deps, { link, target, permission: 'users' })
  const stored = await exportOf(deps, exportId)
  const { userId, role } = followed.holder
  if (stored.status !== 'done' || !mayFetch(role, stored)) throw errors.notFound('This file')
  await inTransaction(deps.db, async (tx) => {
    await markUsed(tx, followed)
    const entry = { action: 'users.export.download', entity: 'export', entityId: exportId }
    await recordAudit(tx, deps, { ...caller, userId, role }, entry)
  })
  return { stored, file: Readable.from(chunksOf(deps, exportId)) }
}

async function* chunksOf({ db }: AdministrationDeps, exportId: number): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const chunk = await findChunk(db, exportId, seq)
    if (chunk === undefined) return
    yield chunk
  }
}

async function openFile(
  deps: AdministrationDeps,
  { format, columns, hasBom, filter }: WantedExport,
  isMasked: boolean,
): Promise<OpenedExport> {
  const { db, config, log, limits } = deps
  const source = { db, url: config.DATABASE_URL, log, limits: { silenceMs: limits.silenceMs } }
  const wanted = { filter, columns, shape: ROW_SHAPE[format], isMasked }
  const { rows, stream, given } = await copyUsersOut(source, wanted)
  if (format === 'xlsx' && rows >= XLSX_ROWS_MAX) {
    stream.destroy()
    throw errors.validation({
      format: [`a worksheet holds at most ${XLSX_ROWS_MAX - 1} rows, but the export has ${rows}; use csv or ndjson`],
    })
  }
  const file = encode(stream, { format, columns, hasBom, isMasked, total: rows, at: fromNow(deps.clock) })
  return { rows, given, file }
}

/** Gives the checksum; undefined when this attempt was ended meanwhile. */
async function store(
  { db, clock }: AdministrationDeps,
  { exportId, attempt }: { exportId: number; attempt: number },
  file: Readable,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha256')
  let pieces: Buffer[] = []
  let size = 0
  let seq = 0
  const flush = async (): Promise<boolean> => {
    if (size === 0) return true
    const bytes = Buffer.concat(pieces)
    hash.update(bytes)
    const chunk = { export_id: exportId, seq, bytes }
    const isWanted = await inTransaction(db, (tx) => insertChunk(tx, chunk, attempt, fromNow(clock)))
    ;[pieces, size, seq] = [[], 0, seq + 1]
    return isWanted
  }
  for await (const piece of file) {
    signal.throwIfAborted()
    pieces.push(piece as Buffer)
    size += (piece as Buffer).length
    // Leaving the loop ends the stream, and with it the statement that reads the users.
    if (size >= CHUNK_BYTES && !(await flush())) return undefined
  }
  return (await flush()) ? hash.digest('hex') : undefined
}

function wantedOf({ format, columns, has_bom: hasBom, filter }: StoredExport): WantedExport {
  return { format, hasBom, columns: columns as UsersToCopy['columns'], filter: filter as UsersToCopy['filter'] }
}

/** The search is left out, because it may be somebody's name. */
function auditEntryOf(
  { format, columns, filter }: WantedExport,
  { rows, masked }: { rows: number | null; masked: boolean },
) {
  const { search, ...rest } = filter
  const after = { format, columns, rows, masked, filter: { ...rest, is_search: search !== undefined } }
  return { action: 'users.export', entity: 'export', change: { before: null, after, subjectId: null } }
}

/** Deletes the exports whose search finds people who are purged (ADR 15). */
export async function forgetInExports(tx: Tx, userIds: number[]): Promise<void> {
  await deleteExportsOfSearches(tx, userIds)
}
