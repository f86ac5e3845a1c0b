import type { Generated } from 'kysely'

export type RetentionTables = {
  notification_partitions: {
    name: string
    /** Of messages made from here on; null: from the beginning. */
    made_from: Date | null
    /** Of messages made before this; null: the partition is open. */
    made_to: Date | null
    /** Since when its notifications cannot be found any more. */
    let_go_at: Date | null
    /** Users with unread copies were marked for a recount of their badge up to this user. */
    counted_to: Generated<number>
    dropped_at: Date | null
    /** The unfinished message for which it is kept longer. */
    held_by: number | null
  }
}
