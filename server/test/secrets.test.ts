import { describe, expect, test } from 'vitest'
import { deviceToken } from './support/apns.ts'
import { makeToken } from './support/fcm.ts'
import { watchForSecrets } from './support/secrets.ts'
import type { App } from '../src/platform/http/routes.ts'

const SUBSCRIPTION =
  '{"endpoint":"https://fcm.googleapis.com/fcm/send/abcdefgh","keys":{"p256dh":"BNc1","auth":"tBH1"}}'
const INSTALLATION = 'cAbCdEfGhIjKlMnOpQr1s2'

async function expectLeak(answer: string, isOne: boolean, request: object = { url: '/api/some' }): Promise<void> {
  const secrets = watchForSecrets()
  const app = { inject: async () => ({ payload: answer }) } as unknown as App
  secrets.watchAnswers(app)
  await app.inject(request)
  if (isOne) expect(() => secrets.expectNoLeak()).toThrow('to deeply equal')
  else secrets.expectNoLeak()
}

describe('the watch for secrets', () => {
  test.for([
    ['Expo', 'ExponentPushToken[abc]'],
    ['Apple', deviceToken(1)],
    ['Google', makeToken(1)],
    ['a browser', SUBSCRIPTION],
  ] as const)('finds tokens of %s in the log and in answers', async ([, token]) => {
    for (const text of [JSON.stringify({ token }), JSON.stringify({ inner: JSON.stringify({ token }) })]) {
      const secrets = watchForSecrets()
      secrets.sawLog(`{"level":"info","msg":${text}}\n`)
      expect(() => secrets.expectNoLeak()).toThrow('to deeply equal')
      await expectLeak(text, true)
    }
  })

  test('finds an id of an installation that a request carried', async () => {
    const payload = { token: INSTALLATION, token_type: 'fcm' }
    await expectLeak(`{"data":"${INSTALLATION}"}`, true, { url: '/api/some', payload })
    await expectLeak(`{"data":"${INSTALLATION}"}`, false)
  })

  test('finds nothing in digests, random bytes, texts of one letter and the description of the API', async () => {
    await expectLeak(
      JSON.stringify({ pin: deviceToken(1), sha256: deviceToken(2), id: INSTALLATION, name: 'a'.repeat(99) }),
      false,
    )
    await expectLeak(JSON.stringify({ example: SUBSCRIPTION }), false, { url: '/api/openapi.json' })
  })
})
