/** Rows with an id above `after`, from before a moment, up to `limit`. */
export type DeleteStep = { after: number; before: Date; limit: number }

/** After which id the next step goes on; null: nothing old is left. */
export type DeletedUpTo = number | null
