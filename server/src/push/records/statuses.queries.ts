import { sql } from 'kysely'
import { wordsIn } from '../../platform/db/inline.ts'
import { RUNNING_MESSAGE, UNFINISHED_MESSAGE } from '../../platform/shared/words.ts'

/** They stand after `status in` of a message. */
export const RUNNING = sql.raw(wordsIn(RUNNING_MESSAGE))
export const UNFINISHED = sql.raw(wordsIn(UNFINISHED_MESSAGE))

// A message to one person whose home was away has no batch, and no time wakes it: nobody looks for its work meanwhile.
export const HELD = sql<Date>`'infinity'::timestamptz`

/** A condition on messages `m`. */
export const IS_HELD = sql`m.sleeps_until = ${HELD} and m.status in ${RUNNING}`
