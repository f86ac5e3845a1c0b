import { IntlMessageFormat } from 'intl-messageformat'
import { findLanguage, type Language } from '../../platform/shared/languages.ts'
import { must } from '../../platform/shared/must.ts'
import { de } from './de.ts'
import { en, type TextKey, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'

export type Values = Readonly<Record<string, string | number>>

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

/** English when the language (BCP 47) is not supported. */
export function toLocale(language: string): Language {
  return findLanguage(language) ?? 'en'
}

/** The text is in English if the locale lacks it. Throws when a placeholder has no value. */
export function render(locale: Language, key: TextKey, values: Values = {}): { title: string; text: string } {
  const template = COMPILED.get(`${locale} ${key}`) ?? must(COMPILED.get(`en ${key}`), `the text ${key}`)
  return { title: String(template.title.format(values)), text: String(template.text.format(values)) }
}
