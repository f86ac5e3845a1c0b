import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { PushDeps } from '../../push/deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import { createOpenFiles } from '../../platform/streams/open-files.ts'
import { orClosed } from '../../platform/streams/or-closed.ts'
import { recordAuditAlone, type Actor } from '../../platform/audit/audit.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import { followLink, signLink, markUsed } from '../../identity/sessions/links.ts'
import { findActiveAccount } from '../../identity/accounts/accounts.ts'
import type { Principal } from '../../platform/rights/permissions.ts'
import { copyUsersOut, type UsersToCopy } from './users-export.queries.ts'
import { encode, ROW_SHAPE, type Form } from './encode.ts'
import { isMaskedFor, mayFetch } from './masking.ts'
import {
  beginExport,
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

export type ExportRequest = Pick<UsersToCopy, 'filter' | 'columns'> & Pick<Form, 'format' | 'hasBom'>

type Opened = { rows: number; file: Readable; given: Promise<number> }

export function createExports(deps: PushDeps) {
  const files = createOpenFiles<Opened>(AT_ONCE)
  return {
    /** 422 when a worksheet cannot hold it; 503 when too many run. */
    open: (request: ExportRequest, actor: Actor): Promise<Opened> => {
      const masked = isMaskedFor(actor.role)
      return files.open(
        () => openFile(deps, request, masked),
        ({ rows }) => recordAuditAlone(deps, actor, toAuditEntry(request, { rows, masked })),
      )
    },
    close: files.close,
  }
}

export async function requestExport(work: Work, request: ExportRequest): Promise<number> {
  const { format, columns, hasBom: has_bom, filter } = request
  const { userId, role } = work.by
  const exportId = await insertExport(work.tx, {
    format,
    columns,
    filter,
    has_bom,
    requested_by: must(userId, 'administrator who exports'),
    requested_at: work.now(),
    expires_at: work.now(KEPT_MS),
  })
  await work.enqueue('run-export', { exportId })
  await work.audit({ ...toAuditEntry(request, { rows: null, masked: isMaskedFor(role) }), entityId: exportId })
  return exportId
}

/** Stores the file in pieces of 1 MiB. Safe to run again: it starts from the beginning. What it masks goes by the
 * right that its requester has now. */
export async function runExport(deps: PushDeps, exportId: number, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const now = fromNow(clock)
  const row = await findExport(db, exportId, now)
  if (row === undefined) return
  const requester = await findActiveAccount(db, row.requested_by)
  const masked = isMaskedFor(requester?.role ?? null)
  const attempt = await inTransaction(db, (tx) => beginExport(tx, { exportId, masked, now }))
  if (attempt === undefined) return
  const run = { exportId, attempt }
  try {
    // The file is kept until the export expires, so nobody in it may be purged before.
    const request = toExportRequest(row)
    const filter = { ...request.filter, keptUntil: row.expires_at }
    const { rows, file, given } = await openFile(deps, { ...request, filter }, masked)
    const sha256 = await orClosed(file, async () => {
      await updateExpectedRows(db, exportId, rows)
      return store(deps, run, { file, signal })
    })
    if (sha256 === undefined) return
    if ((await given) !== rows) throw new Error(`The export has ${await given} rows instead of ${rows}.`)
    await finishExport(db, run, { status: 'done', sha256, finished_at: fromNow(clock) })
  } catch (error) {
    if (signal.aborted) throw error
    const code = (error as { code?: string }).code ?? 'INTERNAL_ERROR'
    deps.log.error({ err: error, export_id: exportId }, 'an export failed')
    await finishExport(db, run, { status: 'failed', error: code, finished_at: fromNow(clock) })
  }
}

export async function requireExport(db: Db | Tx, exportId: number, now: Date): Promise<StoredExport> {
  return existing(await findExport(db, exportId, now), 'This export')
}

/** 409 INVALID_STATE when it is over already. */
export async function stopExport(work: Work, exportId: number): Promise<StoredExport> {
  const now = work.now()
  const isStopped = await giveUpExport(work.tx, { exportId, error: 'CANCELLED', at: now })
  const stored = await requireExport(work.tx, exportId, now)
  if (!isStopped) throw errors.invalidState('This export has already ended.')
  await work.audit({ action: 'users.export.cancel', entity: 'export', entityId: exportId })
  return stored
}

/** Ends an export that makes no progress: it has failed, and whoever still works on it finds that out. */
export async function endExport(db: Db, exportId: number, at: Date): Promise<void> {
  await inTransaction(db, (tx) => giveUpExport(tx, { exportId, error: 'STALLED', at }))
}

/** The link works for 15 minutes and one download (ADR 10). */
export function linkToFile(deps: PushDeps, exportId: number, holder: Principal): { link: string; expiresAt: Date } {
  return signLink(deps, { holder, target: { purpose: 'export-file', id: exportId }, seconds: LINK_SECONDS })
}

/** The link works once, and leaves an audit entry. 404 when it is invalid or used, its holder may not export any
 * more, or there is no file. */
export async function openByLink(
  deps: PushDeps,
  caller: Actor,
  { exportId, link }: { exportId: number; link: string },
): Promise<{ stored: StoredExport; file: Readable }> {
  const followed = await followLink(deps, {
    link,
    target: { purpose: 'export-file', id: exportId },
    permission: 'users',
  })
  const stored = await requireExport(deps.db, exportId, fromNow(deps.clock))
  const { userId, role } = followed.holder
  if (stored.status !== 'done' || !mayFetch(role, stored)) throw errors.notFound('This file')
  await inWork(deps, { ...caller, userId, role }, async (work) => {
    await markUsed(work.tx, followed)
    await work.audit({ action: 'users.export.download', entity: 'export', entityId: exportId })
  })
  return { stored, file: Readable.from(readChunks(deps.db, exportId)) }
}

async function* readChunks(db: Db, exportId: number): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const chunk = await findChunk(db, exportId, seq)
    if (chunk === undefined) return
    yield chunk
  }
}

async function openFile(
  { db, config, log, limits, clock }: PushDeps,
  { format, columns, hasBom, filter }: ExportRequest,
  isMasked: boolean,
): Promise<Opened> {
  const source = { db, url: config.DATABASE_URL, log, limits: { silenceMs: limits.silenceMs } }
  const { rows, stream, given } = await copyUsersOut(source, { filter, columns, shape: ROW_SHAPE[format], isMasked })
  if (format === 'xlsx' && rows >= XLSX_ROWS_MAX) {
    stream.destroy()
    throw errors.validation({
      format: [`a worksheet holds at most ${XLSX_ROWS_MAX - 1} rows, but the export has ${rows}; use csv or ndjson`],
    })
  }
  const file = encode(stream, { format, columns, hasBom, isMasked, total: rows, at: fromNow(clock) })
  return { rows, given, file }
}

/** Gives the checksum; undefined when this attempt was ended meanwhile. */
async function store(
  { db, clock }: PushDeps,
  { exportId, attempt }: { exportId: number; attempt: number },
  { file, signal }: { file: Readable; signal: AbortSignal },
): Promise<string | undefined> {
  const hash = createHash('sha256')
  let pieces: Buffer[] = []
  let size = 0
  let seq = 0
  const flush = async (): Promise<boolean> => {
    if (size === 0) return true
    const bytes = Buffer.concat(pieces)
    hash.update(bytes)
    const chunk = { exportId, attempt, seq, bytes, now: fromNow(clock) }
    const isCurrent = await inTransaction(db, (tx) => insertChunk(tx, chunk))
    ;[pieces, size, seq] = [[], 0, seq + 1]
    return isCurrent
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

function toExportRequest({ format, columns, has_bom: hasBom, filter }: StoredExport): ExportRequest {
  return { format, hasBom, columns: columns as UsersToCopy['columns'], filter: filter as UsersToCopy['filter'] }
}

/** The search is left out, because it may be somebody's name. */
function toAuditEntry({ format, columns, filter }: ExportRequest, made: { rows: number | null; masked: boolean }) {
  const { search, ...rest } = filter
  const after = { format, columns, ...made, filter: { ...rest, is_search: search !== undefined } }
  return { action: 'users.export', entity: 'export', change: { after } }
}
