import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { payloadBytes } from '../../push/provider/expo/expo-protocol.ts'
import { MAX_PAYLOAD_BYTES, toPushContent } from '../../push/messages/content.ts'
import { MAIL_TEMPLATES, renderMail } from './mails.ts'
import type { TextKey, Texts } from './en.ts'
import { toLocale, render, TEMPLATES } from './texts.ts'

const KEYS = Object.keys(TEMPLATES.en) as TextKey[]
const LOCALES = Object.keys(TEMPLATES) as (keyof typeof TEMPLATES)[]
const PLACEHOLDERS = new Set(['count', 'message', 'name'])

describe.for(LOCALES)('The texts of pushes in %s', (locale) => {
  const texts: Texts = TEMPLATES[locale]

  test.for(KEYS.filter((key) => key in texts))(
    'say %s with the placeholders of the English text, and a form for each number',
    (key) => {
      const template = texts[key]
      for (const part of ['title', 'text'] as const) {
        const ours = parse(template?.[part] ?? '')
        expect(placeholdersIn(ours)).toEqual(placeholdersIn(parse(TEMPLATES.en[key][part])))
        for (const name of placeholdersIn(ours)) expect(PLACEHOLDERS).toContain(name)
        const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted()
        for (const plural of pluralsIn(ours)) expect(Object.keys(plural).toSorted()).toEqual(forms)
      }
    },
  )

  test('fit the payload with the longest values and ids', () => {
    const long = { message: '\u{20000}'.repeat(500), count: 2 ** 31 - 1, name: '👩‍👩‍👧‍👦'.repeat(40) }
    for (const key of KEYS) {
      const data = {
        event: 'group_join_request',
        link: `swapbell://${'x'.repeat(60)}`,
        a: 2 ** 53 - 1,
        b: 2 ** 53 - 1,
        reason: 'x'.repeat(40),
      }
      const content = toPushContent({ ...render(locale, key, long), data }, 'transactional', `chat-${2 ** 53 - 1}`)
      const push = { platform: 'ios', notificationId: 2 ** 53 - 1, content, expiresAt: new Date('9999-12-31') } as const
      expect(payloadBytes(push)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
    }
  })
})

describe('A mail', () => {
  test('has its link and its text in every language, and no text of users', () => {
    for (const [locale, mails] of Object.entries(MAIL_TEMPLATES))
      for (const [kind, { subject, text }] of Object.entries(mails)) {
        const english = MAIL_TEMPLATES.en[kind as keyof typeof mails]
        expect(placeholdersIn(parse(subject)), `${locale} ${kind}`).toEqual([])
        expect(placeholdersIn(parse(text)), `${locale} ${kind}`).toEqual(placeholdersIn(parse(english.text)))
        if (locale !== 'en') expect(text).not.toBe(english.text)
      }
    const { subject, text } = renderMail('fr-CA', 'password_forgotten', 'https://example.com/#a')
    expect([subject, text]).toEqual([
      'Un nouveau mot de passe pour Swapbell',
      expect.stringContaining('\nhttps://example.com/#a\n'),
    ])
  })
})

describe('A text', () => {
  test('counts by the rules of its language', () => {
    expect(titles('en')).toEqual(['New message', '3 new messages', '1,000,000 new messages'])
    expect(titles('de')).toEqual(['Neue Nachricht', '3 neue Nachrichten', '1.000.000 neue Nachrichten'])
    expect(titles('fr')).toEqual(['Nouveau message', '3 nouveaux messages', '1 000 000 de nouveaux messages'])
    expect(titles('es')).toEqual(['Mensaje nuevo', '3 mensajes nuevos', '1.000.000 de mensajes nuevos'])
    expect(titles('ja')).toEqual(['新着メッセージ1件', '新着メッセージ3件', '新着メッセージ1,000,000件'])
  })

  test('shows what people wrote unchanged, also braces', () => {
    expect(render('de', 'product.rejected', { message: 'No {photos}, <b>see</b> #3' }).text).toBe(
      'No {photos}, <b>see</b> #3',
    )
  })

  test('is in the language of the person, for any region, and in English if the language is unknown', () => {
    const languages = ['de', 'de-AT', 'FR-ca', 'ja', 'pt-BR', 'constructor', '']
    expect(languages.map(toLocale)).toEqual(['de', 'de', 'fr', 'ja', 'en', 'en', 'en'])
  })
})

type Elements = ReturnType<IntlMessageFormat['getAst']>

const ARGUMENT = 1

function parse(template: string): Elements {
  return new IntlMessageFormat(template, 'en').getAst()
}

function placeholdersIn(elements: Elements): string[] {
  const names = elements.flatMap((element): string[] => {
    if (element.type.valueOf() === ARGUMENT && 'value' in element) return [element.value]
    if (!('options' in element)) return []
    return [element.value, ...Object.values(element.options).flatMap((option) => placeholdersIn(option.value))]
  })
  return [...new Set(names)].toSorted()
}

function pluralsIn(elements: Elements) {
  return elements.flatMap((element) => ('options' in element ? [element.options] : []))
}

function titles(locale: keyof typeof TEMPLATES): string[] {
  return [1, 3, 1_000_000].map((count) => render(locale, 'swap.message', { count }).title.replaceAll(/\s/gu, ' '))
}
