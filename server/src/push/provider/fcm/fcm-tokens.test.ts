import { describe, expect, test } from 'vitest'
import { FCM_TOKENS, isFcmToken } from './fcm-tokens.ts'

const REST = 'bHPRYqk-Xa_mLd'.repeat(10)

describe('a token of Google', () => {
  test.for<[string, string]>([
    ['a registration token', `dQw4w9WgXcQ:APA91b${REST}`],
    ['a registration token of another form', `dQw4w9WgXcQrStUv:${REST}`],
    ['the shortest that is taken', `abcdefgh:${REST.slice(0, 64)}`],
    ['an installation', 'cAb3dEfGhIjKlMnOpQrStU'],
    ['an installation without a digit', 'cRXyWvQpLKjHgFdSaZxCVb'],
    ['an installation with signs', 'f_-AbCdEfGhIjKlMnOpQ_-'],
  ])('that is taken is removed from the log: %s', ([, token]) => {
    expect(isFcmToken(token)).toBe(true)
    const lines = ['\n', '\t', '\b', '\f', '\\'].map((before) => JSON.stringify({ text: `line${before}${token}` }))
    const texts = [token, `to ${token}, which`, JSON.stringify({ token }), `https://a.example/x/${token}?y`]
    for (const text of [...texts, ...lines]) expect(strip(text)).toBe(text.replace(token, '[push token]'))
  })

  test('that was cut off is removed too', () => {
    expect(strip('"dQw4w9WgXcQ:APA91bHPR…"')).toBe('"[push token]…"')
  })

  test.for([
    'countDueWorkOfProvider',
    'device_not_registerede',
    'finish-after-all-waits',
    `sha256:${'0123456789abcdef'.repeat(4)}`,
    '"level":30,"time":1795800000000,"msg":"claimed"',
  ])('is not what our own lines say: %s', (text) => {
    expect(strip(text)).toBe(text)
  })
})

function strip(text: string): string {
  return FCM_TOKENS.reduce((line, form) => line.replace(form, '[push token]'), text)
}
