/** Rows with an id above `after`, from before a moment, up to `limit`. */
export type DeleteStep = { after: number; before: Date; limit: number }

/** The next step goes on after this id; null: nothing old is left. */
export type DeletedUpTo = number | null
