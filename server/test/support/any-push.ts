import * as fc from 'fast-check'
import type { Push } from '../../src/push/provider/provider.ts'

const content = fc.record({
  title: fc.string({ unit: 'grapheme' }),
  body: fc.string({ unit: 'grapheme' }),
  data: fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: null }),
  urgent: fc.boolean(),
  mergeKey: fc.option(fc.string(), { nil: null }),
})

/** Any push to these. */
export function anyPush(to: Pick<{ [Name in keyof Push]: fc.Arbitrary<Push[Name]> }, 'to' | 'platform'>) {
  return fc.record(
    {
      ...to,
      notificationId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      content,
      expiresAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      badge: fc.nat(),
      isProven: fc.boolean(),
    },
    { requiredKeys: ['to', 'platform', 'notificationId', 'content', 'expiresAt', 'isProven'] },
  )
}
