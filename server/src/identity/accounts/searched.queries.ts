import { sql, type RawBuilder } from 'kysely'
import { containing, reachOf } from '../../platform/lists/pattern.ts'

/** What a caller says of themselves, without accents: username, address, name and the digits of the phone number. */
export const USER_TEXT = sql<string>`u.search_text`

/** A search of users as `search_text` has it: a phone number by its digits, a username without its @, no accents. */
export function userSearchOf(said: string): string {
  if (/^\+?(?:[\s()./-]*\d){6,}[\s()./-]*$/.test(said)) return digitsOf(said)
  return unaccented(said).replaceAll(/(?<!\S)@(?=\S)/g, '') || said
}

/** What all users fulfil of whom some field holds a text, if the index decides it: for a condition on one field. */
export function byUsersIndex(text: string): RawBuilder<boolean>[] {
  return reachOf(text) === 'anywhere' ? [sql<boolean>`${USER_TEXT} ilike ${containing(unaccented(text))}`] : []
}

/** Without the zero that is dialled within a country only: 0151 and (0)151 for +49 151. */
function digitsOf(phone: string): string {
  return phone
    .replace('(0)', '')
    .replaceAll(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
}

/** As the function of the database. */
function unaccented(text: string): string {
  return text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
}
