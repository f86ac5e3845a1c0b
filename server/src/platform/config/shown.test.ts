import { describe, expect, test } from 'vitest'
import { configWith } from './config.ts'
import { listSettings } from './shown.ts'

const SECRET = 'nobody may read this'

describe('The settings that administrators see', () => {
  test('hide every text that may be a secret, and say which values were chosen', () => {
    const texts = ['JWT_SECRET', 'AUDIT_SECRET', 'ADMIN_PASSWORD', 'DATABASE_URL', 'EXPO_ACCESS_TOKEN'] as const
    const shown = listSettings(
      configWith({
        ...(Object.fromEntries(texts.map((name) => [name, SECRET])) as object),
        FIREBASE_SERVICE_ACCOUNT: SECRET,
        SUBSCRIPTION_WEBHOOK_SECRET: [SECRET],
        PUSH_RATE_PER_SECOND: 100,
      }),
    )
    expect(JSON.stringify(shown)).not.toContain(SECRET)
    const of = (name: string) => shown.find((setting) => setting.name === name)
    expect(of('JWT_SECRET')).toMatchObject({ value: null, is_changed: true })
    expect(of('PUSH_RATE_PER_SECOND')).toMatchObject({ value: '100', fallback: '500', is_changed: true })
    expect(of('LOG_LEVEL')).toMatchObject({ value: 'info', is_changed: false })
    expect(of('LINK_SCHEMES')).toMatchObject({ value: 'swapbell,https' })
  })
})
