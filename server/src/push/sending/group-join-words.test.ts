import { describe, expect, test } from 'vitest'
import { AppError } from '../../platform/shared/errors.ts'
import { refuseWebAddresses } from './group-join-words.ts'

describe('A text of somebody to a stranger', () => {
  test.for([
    'See https://evil.example',
    'intent://evil',
    'Sign in at WWW.evil.example/login',
    'go to evil.example',
    'Hello. Go to a-b.evil1-x.co.uk',
    'см. зло.рф/вход',
    '例え.テスト',
  ])('may not hold an address, such as “%s”', (text) => {
    const refused = () => refuseWebAddresses({ title: 'Hello', text })
    expect(refused).toThrow(AppError)
    expect(refused).toThrow(
      expect.objectContaining({ extras: { errors: { text: ['must not contain a web address'] } } }),
    )
  })

  test.for(['Hello. May I join?', 'It costs 3.50 euros, e.g. in U.S. shops…', 'At 10.30, No. 7', 'a . b', '1.2.3'])(
    'may be “%s”',
    (text) => {
      expect(() => refuseWebAddresses({ title: text, text })).not.toThrow()
    },
  )
})
