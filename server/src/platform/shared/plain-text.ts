import { errors, type FieldErrors } from './errors.ts'

/** The layout of a text: a name or a title is one `line`, a message has `lines`. */
export type TextLayout = 'line' | 'lines'

// Embeddings, overrides and isolates of Unicode's bidirectional algorithm, and the deprecated marks after them. The
// three marks that only hint at a direction (U+061C, U+200E, U+200F) are ordinary in Arabic and Hebrew, and pass.
const TURNS_DIRECTION = /[\u202A-\u202E\u2066-\u206F]/
const CONTROL: Record<TextLayout, RegExp> = {
  line: /[\p{Cc}\p{Zl}\p{Zp}]/u,
  lines: /(?!\n|\r\n)\p{Cc}/u,
}
// U+2800 is a blank pattern of Braille.
const VISIBLE = /[^\s\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

// The same in ranges that every dialect of regular expressions reads, so without those above U+FFFF.
const INVISIBLE = String.raw`\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFFA0\uFFF0-\uFFF8`
const TURNS = String.raw`\u202A-\u202E\u2066-\u206F`
const ALLOWED: Record<TextLayout, string> = {
  line: String.raw`[^\u0000-\u001F\u007F-\u009F\u2028\u2029${TURNS}]`,
  lines: String.raw`(?:[^\u0000-\u001F\u007F-\u009F${TURNS}]|\n|\r\n)`,
}

/**
 * The texts without a fault as a regular expression, for the description of the API. It admits a text of nothing but
 * invisible characters above U+FFFF, which `faultOfText` refuses.
 */
export function patternOfText(layout: TextLayout): string {
  return `^(?=[${INVISIBLE}]*[^${INVISIBLE}])${ALLOWED[layout]}*$`
}

const FAULTS = {
  control: {
    line: 'must not hold line breaks, tabs or other control characters',
    lines: 'must not hold control characters other than line breaks',
  },
  direction: 'must not hold characters that turn the direction of writing (such as U+202E)',
  blank: 'must not be blank',
  invisible: 'must contain at least one visible character',
}

/**
 * What is wrong with a text for people, as a sentence for the error envelope; undefined when it is valid. Allows names
 * in any script, emoji and right-to-left text. Refuses what could make a name look like another, break a line of a log
 * or a file, or show nothing. Linear in the length of the text.
 */
export function faultOfText(text: string, layout: TextLayout): string | undefined {
  if (!VISIBLE.test(text)) return text.trim() === '' ? FAULTS.blank : FAULTS.invisible
  if (CONTROL[layout].test(text)) return FAULTS.control[layout]
  return TURNS_DIRECTION.test(text) ? FAULTS.direction : undefined
}

/** 422 that names each field whose text has a fault. Absent and null fields pass. */
export function refuseFaultyText(fields: Record<string, string | null | undefined>, layout: TextLayout): void {
  const faults: FieldErrors = {}
  for (const [field, text] of Object.entries(fields)) {
    const fault = typeof text === 'string' ? faultOfText(text, layout) : undefined
    if (fault !== undefined) faults[field] = [fault]
  }
  if (Object.keys(faults).length > 0) throw errors.validation(faults)
}
