import type { Generated } from 'kysely'

export type BadgeTables = {
  badge_marks: { urgent: boolean; mark_id: Generated<number>; user_ids: number[]; marked_at: Generated<Date> }
  badges: {
    user_id: number
    version: Generated<number>
    notifications: Generated<number>
    /** Unread lines by swap. */
    chats: Generated<Record<string, number>>
    total: Generated<number>
    updated_at: Date
    write_due_at: Date | null
    write_attempts: Generated<number>
    begun_version: Generated<number>
    written_version: Generated<number>
    etag: string | null
  }
  badge_removals: { user_id: number; due_at: Date; attempts: Generated<number> }
}
