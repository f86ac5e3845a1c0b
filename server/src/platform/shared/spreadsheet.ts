/** What a spreadsheet takes for the beginning of a formula, also in its full width; a tab or line end before one is skipped. */
export const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'] as const

/**
 * What begins with a plus and calls nothing: a phone number. Without a letter no function can be named and no cell; what a
 * spreadsheet makes of it is text or a number (ADR 021).
 */
const PHONE = /^[+][0-9 ()/.-]*$/

/** The same as text, which PostgreSQL reads alike. */
export const PHONE_NUMBER = PHONE.source

/** The number of the style that a workbook of ours gives to dates. */
export const DATE_STYLE = 1

const STARTS = new Set<string>(FORMULA_STARTS)

/** A text as a cell of a CSV file: behind an apostrophe when a spreadsheet would run it (decision C8). */
export function harmless(text: string): string {
  return STARTS.has(text.slice(0, 1)) && !PHONE.test(text) ? `'${text}` : text
}
