import { sql } from 'kysely'
import { wordsIn } from '../../platform/db/inline.ts'
import { RUNNING_MESSAGE, UNFINISHED_MESSAGE } from '../../platform/shared/words.ts'

/** They stand after `status in` of a message. */
export const RUNNING = sql.raw(wordsIn(RUNNING_MESSAGE))
export const UNFINISHED = sql.raw(wordsIn(UNFINISHED_MESSAGE))
