import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { pickLanguage, chooseLocale } from './language.ts'
import { plural, rich, t } from './translate.ts'

describe('The language of the panel', () => {
  test.for<[string | null, string[], string]>([
    [null, ['es-MX', 'en-US'], 'es'],
    [null, ['nl-BE', 'es-ES'], 'es'],
    [null, ['nl-BE'], 'en'],
    [null, [], 'en'],
    ['en', ['es-ES'], 'en'],
    ['es', ['en-GB'], 'es'],
    ['toString', ['es'], 'es'],
  ])('is the chosen one, or else the browser’s: %j, %j → %s', ([chosen, wanted, language]) => {
    expect(pickLanguage(chosen, wanted)).toBe(language)
  })

  test('writes dates as the browser’s own variant of it does', () => {
    expect(chooseLocale('en', ['es-ES', 'en-GB'])).toBe('en-GB')
    expect(chooseLocale('es', ['en-GB'])).toBe('es')
  })
})

describe('A text', () => {
  test('shows values in place of their names, and numbers in the format of the language', () => {
    expect(t('{count} of {total} accounts will change', { count: 1, total: 12_345 })).toBe(
      '1 of 12,345 accounts will change',
    )
    expect(rich('by {who}', { who: 'Ann {who}' })).toEqual(['by ', 'Ann {who}', ''])
  })

  test('has forms for one and for several', () => {
    expect([1, 0, 2_000].map((count) => plural(count, 'one user', '{count} users'))).toEqual([
      'one user',
      '0 users',
      '2,000 users',
    ])
  })
})

test('In Spanish, words of the API and texts of the panel that are the same in English differ, and one is singular', async () => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', { languages: ['es'] })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.resetModules()
  onTestFinished(() => void vi.unstubAllGlobals().resetModules())
  const spanish = await import('./translate.ts')
  for (const [english, word, text] of [
    ['cancelled', 'cancelado', 'cancelada'],
    ['Opened', 'Abierta', 'Abiertas'],
  ] as const)
    expect([spanish.translateText(english), spanish.t(english)]).toEqual([word, text])
  expect(spanish.plural(1, '{count} selected', '{count} selected')).toBe('1 seleccionado')
})
