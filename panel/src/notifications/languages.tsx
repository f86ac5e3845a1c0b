import { Select } from '@mantine/core'
import type { paths } from '../../../client/src/schema.ts'
import { t } from '../translation/translate.ts'

type SystemBody = NonNullable<
  paths['/api/admin/send-system-notification']['post']['requestBody']
>['content']['application/json']

/** What the users of a language get instead, by language, as the API takes it. */
export type Texts = NonNullable<SystemBody['texts']>
export type TextLanguage = keyof Texts
export type Words = { title: string; text: string }

const NAMES: Record<TextLanguage, string> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  ja: '日本語',
}

const OTHERS = 'others'
const LANGUAGES = Object.entries(NAMES) as [TextLanguage, string][]

/** Languages in which nothing is written are left out. */
export function writtenIn(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, { title, text }]) => `${title}${text}`.trim() !== ''))
}

export function isComplete({ title, text }: Words): boolean {
  return title.trim() !== '' && text.trim() !== ''
}

type LanguageChoiceProps = {
  /** Undefined: the text for all others. */
  language: TextLanguage | undefined
  written: Texts
  choose: (language: TextLanguage | undefined) => void
}

/** The language whose text is written now. A tick marks those that have one. */
export function LanguageChoice({ language, written, choose }: LanguageChoiceProps) {
  const named = LANGUAGES.map(([value, name]) => ({ value, label: value in written ? `${name} ✓` : name }))
  return (
    <Select
      label={t('Language')}
      description={
        language === undefined
          ? undefined
          : t('Users of this language get this text; without one, that for all others.')
      }
      data={[{ value: OTHERS, label: t('All others') }, ...named]}
      value={language ?? OTHERS}
      allowDeselect={false}
      onChange={(value) => choose(LANGUAGES.find(([code]) => code === value)?.[0])}
    />
  )
}
