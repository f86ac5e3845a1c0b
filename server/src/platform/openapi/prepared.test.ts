import { gunzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'

describe('the description of the API', () => {
  test.for(['/api/openapi.json', '/docs/json', '/docs/yaml'])(
    'is one prepared text at %s: compressed for who reads that, 304 for who has it',
    async (url, { app }) => {
      const plain = await app.inject({ url })
      const packed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
      expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
      expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
      expect(packed.headers.etag).not.toBe(plain.headers.etag)
      const known = { 'if-none-match': `"other", W/${plain.headers.etag}` }
      const again = await app.inject({ url, headers: known })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', plain.headers.etag])
    },
  )
})
