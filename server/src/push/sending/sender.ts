import { errors, type FieldErrors } from '../../platform/shared/errors.ts'

const LONGEST_NAME = 40

/** The sender's name is in quotation marks, and holds none: it cannot look like the service's words (decision B23). */
export function titleFrom(sender: { userId: number; name: string }, title: string): string {
  const name = shownName(sender.name)
  return `Join request from ${name === '' ? `user ${sender.userId}` : `“${name}”`}: ${title}`
}

/** One line, at most 40 characters; empty when it shows nothing. */
function shownName(name: string): string {
  const line = name
    .replaceAll(/\s+/g, ' ')
    // What is not shown, and quotation marks. Joiners stay: emoji and some scripts need them.
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

export function refuseWebAddresses(words: Record<string, string>): void {
  const fields = Object.entries(words).filter(([, text]) => WEB_ADDRESS.test(text))
  const faults = fields.map(([field]) => [field, ['must not contain a web address']])
  if (faults.length > 0) throw errors.validation(Object.fromEntries(faults) as FieldErrors)
}
