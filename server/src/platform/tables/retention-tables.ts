import type { Generated } from 'kysely'

export type RetentionTables = {
  notification_partitions: {
    name: string
    /** Of messages made from here on; null: from the beginning. */
    made_from: Date | null
    /** Of messages made before this; null: the partition is open. */
    made_to: Date | null
    /** Since when its copies are found no more. */
    let_go_at: Date | null
    /** The badges of the users of its unread copies were counted anew up to this user. */
    counted_to: Generated<number>
    dropped_at: Date | null
    /** The unfinished message for which it is kept longer. */
    held_by: number | null
  }
}
