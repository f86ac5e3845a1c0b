import type { ReactNode } from 'react'
import { language, locale, type Catalogue } from './language.ts'

const NOTHING = { catalogue: {}, words: {} }
// The module waits for the catalogue, and all that imports it waits with it. Without the file the panel is in English.
const { catalogue, words }: Record<'catalogue' | 'words', Catalogue> =
  language === 'es'
    ? await Promise.all([import('./es.json'), import('./es-words.json')]).then(
        ([texts, codes]) => ({ catalogue: texts.default, words: { ...texts.default, ...codes.default } }),
        () => NOTHING,
      )
    : NOTHING

const NUMBERS = new Intl.NumberFormat(locale)
const FORMS = new Intl.PluralRules(locale)

/** The names in braces of a text: `'{count} of {total}'` → `'count' | 'total'`. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<Text extends string, Value> = [Names<Text>] extends [never] ? [] : [Record<Names<Text>, Value>]

/** A text in the language of the panel. The English text is the key. Numbers are as the language writes them. */
export function t<const Text extends string>(text: Text, ...[values]: Values<Text, string | number>): string {
  return filled(findForm(text), values)
}

/** A text that depends on a number: `plural(2, 'one user', '{count} users')`. The second is the key. */
export function plural<const Text extends string>(
  count: number,
  one: string,
  other: Text,
  ...[values]: Values<Text extends `${infer Before}{count}${infer After}` ? `${Before}${After}` : Text, string | number>
): string {
  const known = catalogue[other]
  const text = known === undefined ? (count === 1 ? one : other) : findForm(other, FORMS.select(count))
  return filled(text, { ...(values as Record<string, string | number> | undefined), count })
}

/** A text with elements such as links, which replace their names. */
export function rich<const Text extends string>(text: Text, ...[values]: Values<Text, ReactNode>): ReactNode[] {
  const parts = findForm(text).split(/(\{\w+\})/)
  return parts.map((part) => (values as Record<string, ReactNode> | undefined)?.[nameIn(part)] ?? part)
}

/** A text that is not in the sources, such as a word of the API: as it came where no file has it. */
export function translateText(text: string): string {
  return findForm(text, 'other', words)
}

export function formatNumber(value: number): string {
  return NUMBERS.format(value)
}

function findForm(text: string, form: Intl.LDMLPluralRule = 'other', within = catalogue): string {
  const known = within[text]
  if (known === undefined || typeof known === 'string') return known ?? text
  return known[form] ?? known.other ?? text
}

function filled(text: string, values: Record<string, string | number> | undefined): string {
  if (values === undefined) return text
  return text.replaceAll(/\{\w+\}/g, (part) => {
    const value = values[nameIn(part)]
    return typeof value === 'number' ? formatNumber(value) : (value ?? part)
  })
}

function nameIn(part: string): string {
  return part.slice(1, -1)
}
