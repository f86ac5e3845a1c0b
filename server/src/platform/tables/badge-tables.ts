import type { Generated } from 'kysely'

export type BadgeTables = {
  /** Read and written by `push/ledger`. */
  unread: { block: number; entries: number[]; lines: number[]; changed_at: Date; unwritten: Generated<string> }
  badge_nodes: {
    user_id: number
    due_at: Date | null
    attempts: Generated<number>
    begun_version: Generated<number>
    written_version: Generated<number>
    etag: string | null
  }
  badge_removals: { user_id: number; due_at: Date; attempts: Generated<number> }
}
