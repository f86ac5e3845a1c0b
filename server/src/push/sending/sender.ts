import { errors, type FieldErrors } from '../../platform/shared/errors.ts'

const LONGEST_NAME = 40

/**
 * The title of a push that one user sends to another (decision B23). It begins with words of the service: that it is a
 * join request, and who sends it. The sender's own words come after that. The name is in quotation marks, and quotation
 * marks are removed from it. So a name cannot look like a part of the service's words.
 */
export function titleFrom(sender: { userId: number; name: string }, title: string): string {
  const name = shownName(sender.name)
  return `Join request from ${name === '' ? `user ${sender.userId}` : `“${name}”`}: ${title}`
}

/** A name on one line and at most 40 characters long; empty when it shows nothing. */
function shownName(name: string): string {
  const line = name
    .replaceAll(/\s+/g, ' ')
    // Removes what is not shown, and quotation marks. Joiners stay: emoji and some scripts need them.
    .replaceAll(/(?![\u200C\u200D])[\p{C}\p{Default_Ignorable_Code_Point}"“”„‟«»＂]/gu, '')
    // More than three marks on a letter paint over the lines beside it.
    .replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(line)) return ''
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment)
  return characters.length <= LONGEST_NAME ? line : `${characters.slice(0, LONGEST_NAME).join('')}…`
}

const WEB_ADDRESS = /:\/\/|\bwww\./i

/** Refuses words that hold a web address: 422 naming each field. */
export function refuseWebAddresses(words: Record<string, string>): void {
  const fields = Object.entries(words).filter(([, text]) => WEB_ADDRESS.test(text))
  const faults = fields.map(([field]) => [field, ['must not hold a web address']])
  if (faults.length > 0) throw errors.validation(Object.fromEntries(faults) as FieldErrors)
}
