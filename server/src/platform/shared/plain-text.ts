import { errors, type FieldErrors } from './errors.ts'

/** `pasted`: lines that keep what `cleared` takes away. */
export type TextLayout = 'line' | 'lines' | 'pasted'

// Bidirectional embeddings, overrides, isolates, and the deprecated marks after them. U+061C, U+200E and U+200F only
// hint at a direction; they are ordinary in Arabic and Hebrew, and pass.
const TURNS_DIRECTION = /[\u202A-\u202E\u2066-\u206F]/
const TURNS_DIRECTIONS = /[\u202A-\u202E\u2066-\u206F]/g
const CONTROL: Record<TextLayout, RegExp> = {
  line: /[\p{Cc}\p{Zl}\p{Zp}]/u,
  lines: /(?!\n|\r\n)\p{Cc}/u,
  pasted: /(?!\n|\r\n|\t)\p{Cc}/u,
}
// U+2800 is a blank pattern of Braille.
const VISIBLE = /[^\s\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

// The same in ranges that every dialect of regular expressions reads, so without those above U+FFFF.
const INVISIBLE = String.raw`\s\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFFA0\uFFF0-\uFFF8`
const TURNS = String.raw`\u202A-\u202E\u2066-\u206F`
const ALLOWED: Record<TextLayout, string> = {
  line: String.raw`[^\u0000-\u001F\u007F-\u009F\u2028\u2029${TURNS}]`,
  lines: String.raw`(?:[^\u0000-\u001F\u007F-\u009F${TURNS}]|\n|\r\n)`,
  pasted: String.raw`(?:[^\u0000-\u001F\u007F-\u009F]|\t|\n|\r\n)`,
}

/** Admits ASCII alone, as mail programs do. */
export function isMailAddress(text: string): boolean {
  return /^[!-;=?A-~]{1,64}@[\w.-]{1,189}$/.test(text)
}

/** The API's description shows this pattern. It admits texts of nothing but invisible characters above U+FFFF. */
export function patternOfText(layout: TextLayout): string {
  return `^(?=[${INVISIBLE}]*[^${INVISIBLE}])${ALLOWED[layout]}*$`
}

const FAULTS = {
  control: {
    line: 'must not contain line breaks, tabs or other control characters',
    lines: 'must not contain control characters other than line breaks',
    pasted: 'must not contain control characters other than tabs and line breaks',
  },
  direction: 'must not contain characters that turn the direction of writing (such as U+202E)',
  blank: 'must not be blank',
  invisible: 'must contain at least one visible character',
}

/** Refuses what could make a name look like another, break a line of a log or a file, or show nothing. Linear. */
export function faultOfText(text: string, layout: TextLayout): string | undefined {
  if (!VISIBLE.test(text)) return text.trim() === '' ? FAULTS.blank : FAULTS.invisible
  if (CONTROL[layout].test(text)) return FAULTS.control[layout]
  return layout !== 'pasted' && TURNS_DIRECTION.test(text) ? FAULTS.direction : undefined
}

/** Phones put tabs and marks of direction around what people paste: tabs become spaces, the marks go. */
export function cleared(text: string): string {
  return text.replaceAll('\t', ' ').replaceAll(TURNS_DIRECTIONS, '')
}

export function refuseFaultyText(fields: Record<string, string | null | undefined>, layout: TextLayout): void {
  const faults: FieldErrors = {}
  for (const [field, text] of Object.entries(fields)) {
    const fault = typeof text === 'string' ? faultOfText(text, layout) : undefined
    if (fault !== undefined) faults[field] = [fault]
  }
  if (Object.keys(faults).length > 0) throw errors.validation(faults)
}
