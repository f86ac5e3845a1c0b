const LONGEST_NAME = 40

/** A name as a push shows it between quotation marks: one line, at most 40 characters; empty when it shows nothing. */
export function displayName(name: string): string {
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
