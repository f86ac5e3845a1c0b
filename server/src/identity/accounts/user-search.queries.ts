import { sql, type RawBuilder } from 'kysely'
import { containing, findReach } from '../../platform/lists/pattern.ts'

/** It holds username, address, name and the digits of the phone number, without accents. */
export const USER_TEXT = sql<string>`u.search_text`

/** `search_text` has a phone number by its digits, a username without its @, and no accents. */
export function toUserSearch(search: string): string {
  if (/^\+?(?:[\s()./-]*\d){6,}[\s()./-]*$/.test(search)) return toDigits(search)
  return unaccented(search).replaceAll(/(?<!\S)@(?=\S)/g, '') || search
}

/** Lets the index find the users, where it can, for a condition on one field that stands beside it. */
export function byUsersIndex(text: string): RawBuilder<boolean>[] {
  return findReach(text) === 'anywhere' ? [sql<boolean>`${USER_TEXT} ilike ${containing(unaccented(text))}`] : []
}

/** The zero that is dialled within a country only is left out: 0151 and (0)151 for +49 151. */
function toDigits(phone: string): string {
  return phone
    .replace('(0)', '')
    .replaceAll(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
}

/** The function `unaccented` of the database does the same to what is stored. */
function unaccented(text: string): string {
  return text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
}
