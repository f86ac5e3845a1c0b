import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import type { Principal } from '../../platform/rights/permissions.ts'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { EXPORT_FORMATS } from '../../platform/shared/words.ts'
import { linkToFile } from './exports.ts'
import { mayFetch } from './masking.ts'
import type { ListedExport, StoredExport } from './exports.queries.ts'

const FAILURES = ['CANCELLED', 'STALLED', 'INTERNAL_ERROR'] as const

const EXPORT = {
  id: Type.Integer(),
  format: Type.Enum(EXPORT_FORMATS),
  status: Type.Enum(['queued', 'running', 'done', 'failed']),
  rows: Nullable(
    Type.Integer({ description: 'The number of rows in the snapshot, counted before the first row is written.' }),
  ),
  bytes: Type.Integer({ description: 'Rows written so far.' }),
  masked: Nullable(
    Type.Boolean({ description: 'Whether the file masks e-mail addresses and phone numbers; null before it is made.' }),
  ),
  sha256: Nullable(Type.String()),
  error: Type.Union([Type.Enum(FAILURES), Type.Null()], {
    description:
      '`CANCELLED` if somebody cancelled it, `STALLED` if it made no progress, `INTERNAL_ERROR` for all else.',
  }),
  requested_by: Type.Integer(),
  requested_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  expires_at: Timestamp,
}

export const Export = Type.Object(EXPORT)
export const ExportItem = Type.Object({ ...EXPORT, requester_name: Type.String() })
export const ExportWithLink = Component('UsersExport', {
  ...EXPORT,
  download: Nullable(Type.Object({ url: Type.String(), expires_at: Timestamp })),
})

export function toExport(stored: StoredExport): Static<typeof Export> {
  const { export_id: id, rows_expected: rows } = stored
  return { ...pickFields(Export, stored), id, rows, error: toFailure(stored.error) }
}

function toFailure(code: string | null): (typeof FAILURES)[number] | null {
  if (code === null) return null
  return FAILURES.find((failure) => failure === code) ?? 'INTERNAL_ERROR'
}

export function toExportItem(stored: ListedExport): Static<typeof ExportItem> {
  return { ...toExport(stored), requester_name: stored.requester_name }
}

/** The link works once within 15 minutes, for its holder. */
export function toExportWithLink(
  deps: PushDeps,
  stored: StoredExport,
  holder: Principal,
): Static<typeof ExportWithLink> {
  const { export_id: id, status } = stored
  const { link, expiresAt: expires_at } = linkToFile(deps, id, holder)
  const url = `/api/admin/v1/users-export/${id}/file?link=${link}`
  const isOffered = status === 'done' && mayFetch(holder.role, stored)
  return { ...toExport(stored), download: isOffered ? { url, expires_at } : null }
}
