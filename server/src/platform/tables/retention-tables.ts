export type RetentionTables = {
  /** Copies of messages made before can not be found any more, and are deleted in steps. */
  lettings_go: { made_before: Date; let_go_at: Date; deleted_at: Date | null }
}
