/** Pushes are written in these languages, by BCP 47 subtag; the first stands in for any other. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'ja'] as const

export type Language = (typeof LANGUAGES)[number]

export function findLanguage(tag: string): Language | undefined {
  const [base = ''] = tag.toLowerCase().split(/[-_]/, 1)
  return LANGUAGES.find((language) => language === base)
}

/** An app may send any language, such as `pt-BR` or `de_DE`. */
export const LANGUAGE_TAG = '^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$'

/** The language that an `Accept-Language` (RFC 9110, 12.5.4) prefers among ours; undefined when it names none. */
export function preferredLanguage(accepted: string | undefined): Language | undefined {
  const wishes = (accepted ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
      return { language: findLanguage(tag), weight: Number(weight) }
    })
  return wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .find(({ language }) => language !== undefined)?.language
}
