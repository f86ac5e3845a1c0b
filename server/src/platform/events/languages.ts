/** In which pushes are written, by BCP 47 subtag; the first stands in for any other. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'ja'] as const

export type Language = (typeof LANGUAGES)[number]

export function languageOf(tag: string): Language | undefined {
  const [base = ''] = tag.toLowerCase().split('-', 1)
  return LANGUAGES.find((language) => language === base)
}

const ANY_CASE = LANGUAGES.map(
  ([first, second]) => `[${first}${first?.toUpperCase()}][${second}${second?.toUpperCase()}]`,
)

/** The tags of these languages, as a regular expression. */
export const LANGUAGE_TAG = `^(?:${ANY_CASE.join('|')})(?:-.*)?$`
