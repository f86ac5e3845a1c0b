import type { Generated, JSONColumnType } from 'kysely'
import type { ExportFormat } from './marketplace-tables.ts'

/** Files of users, and their content in parts. */
export type ExportTables = {
  exports: {
    export_id: Generated<number>
    format: ExportFormat
    columns: string[]
    filter: JSONColumnType<Record<string, unknown>>
    has_bom: boolean
    status: Generated<'queued' | 'running' | 'done' | 'failed'>
    rows_expected: number | null
    bytes: Generated<number>
    sha256: string | null
    error: string | null
    requested_by: number
    requested_at: Date
    started_at: Date | null
    finished_at: Date | null
    expires_at: Date
  }
  export_chunks: { export_id: number; seq: number; bytes: Buffer }
}
