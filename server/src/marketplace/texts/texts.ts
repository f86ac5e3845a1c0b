import { IntlMessageFormat } from 'intl-messageformat'
import { languageOf, type Language } from '../../platform/events/languages.ts'
import { must } from '../../platform/shared/must.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'

/** Names a title and a text, whatever their language. */
export type TextKey = keyof typeof en

/** Title and text of a push, as ICU messages. */
type Template = { title: string; text: string }

/** What a language has; English says what it lacks. */
export type Texts = { readonly [Key in TextKey]?: Template }

/** What placeholders stand for. */
export type Values = Readonly<Record<string, string | number>>

/** The templates of each language. */
export const TEMPLATES = { en, es, fr, de, ja } as const satisfies Record<Language, Texts>

type Compiled = { title: IntlMessageFormat; text: IntlMessageFormat }

const COMPILED: ReadonlyMap<string, Compiled> = new Map(
  Object.entries<Texts>(TEMPLATES).flatMap(([locale, texts]) =>
    Object.entries(texts).map(([key, { title, text }]): [string, Compiled] => [
      `${locale} ${key}`,
      { title: new IntlMessageFormat(title, locale), text: new IntlMessageFormat(text, locale) },
    ]),
  ),
)

/** The language in which somebody with this one (BCP 47) is told; English when it is none of ours. */
export function localeOf(language: string): Language {
  return languageOf(language) ?? 'en'
}

/** Title and text in a locale; in English where the locale has none. Throws when a placeholder has no value. */
export function render(locale: Language, key: TextKey, values: Values = {}): { title: string; text: string } {
  const template = COMPILED.get(`${locale} ${key}`) ?? must(COMPILED.get(`en ${key}`), `the text ${key}`)
  return { title: String(template.title.format(values)), text: String(template.text.format(values)) }
}
