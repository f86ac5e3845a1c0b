/** What begins a formula, also in full width; a spreadsheet skips a tab or line end before one. */
export const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'] as const

/** It is no letter, so it can name no function and no cell; a spreadsheet reads it as text or a number (ADR 16). */
const PHONE = /^[+][0-9 ()/.-]*$/

export const PHONE_NUMBER = PHONE.source

export const DATE_STYLE = 1

const STARTS = new Set<string>(FORMULA_STARTS)

/** A reader that separates by something else than commas knows no quotes within a line, and begins a cell here. */
const INSIDE = /([;\t\r\n]"*)(?=[=+@＝＋－＠-])/g

export const FORMULA_INSIDE = INSIDE.source

/** Puts an apostrophe before what a spreadsheet would run (decision C8). */
export function harmless(text: string): string {
  const inside = text.replace(INSIDE, "$1'")
  return STARTS.has(text.slice(0, 1)) && !PHONE.test(text) ? `'${inside}` : inside
}
