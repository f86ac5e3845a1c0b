/** The languages of the panel. English is in the sources; each other language is a file, loaded on demand. */
export const LANGUAGES = { en: 'English', es: 'Español' } as const

export type Language = keyof typeof LANGUAGES

/** What a catalogue holds: for each English text its translation, or one for each plural form of the language. */
export type Catalogue = Readonly<Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>>

const KEY = 'language'

/**
 * The language of the panel: the one that was chosen in My account, or else the first of the browser's that the panel
 * has, or else English.
 */
export function pickLanguage(chosen: string | null, preferred: readonly string[]): Language {
  const codes = [chosen ?? '', ...preferred].map((tag) => tag.split('-')[0] ?? '')
  return codes.find((code): code is Language => Object.hasOwn(LANGUAGES, code)) ?? 'en'
}

/** Where dates and numbers are written as at home: the browser's own variant of the language, if it has one. */
export function chooseLocale(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.split('-')[0] === language) ?? language
}

const preferred = typeof document === 'undefined' ? [] : navigator.languages

/** The language now. It changes only with a new load of the page, so texts may be read when a module is loaded. */
export const language = typeof document === 'undefined' ? 'en' : pickLanguage(localStorage.getItem(KEY), preferred)
export const locale = chooseLocale(language, preferred)

export function chooseLanguage(code: Language): void {
  localStorage.setItem(KEY, code)
  location.reload()
}
