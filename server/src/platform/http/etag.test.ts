import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'

/** Changes an account of version 1 under this header. */
async function changeUnder(service: Service, header: string) {
  const panel = await givenPanel(service)
  const { userId } = await service.given.user()
  const answer = await panel.patch('/user-update', { id: userId, city: 'Ghent' }, { 'if-match': header })
  return { answer, userId }
}

describe('If-Match (RFC 9110, 13.1.1)', () => {
  test.for([
    '"v1"',
    '*',
    ' * ',
    ' "v1" ',
    '"v9", "v1"',
    '"v1","v2"',
    'W/"v2", "v1"',
    '"other", "v1"',
    ', ,"v1",',
    '"",\t"v1"',
  ])('%s names version 1: the change is made', async (header, { service }) => {
    const { answer } = await changeUnder(service, header)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers.etag).toBe('"v2"')
  })

  test.for(['"v2"', '"abc"', '""', 'W/"v1"', '"v3", "v2"', '"V1"', '"1"'])(
    '%s does not: 412 with the record as it is',
    async (header, { service }) => {
      const { answer, userId } = await changeUnder(service, header)
      expectError(answer, 412, 'STALE_VERSION')
      expect(answer.json()).toMatchObject({ data: { id: userId, version: 1 } })
    },
  )

  test.for(['v1', 'yes', '"v1', 'v1"', '"v1" "v2"', '"v1"; "v2"', 'w/"v1"', '*, "v1"', ',', '"a b"'])(
    '%s is no list of ETags: 422',
    async (header, { service }) => {
      const { answer } = await changeUnder(service, header)
      expectInvalid(answer, 'If-Match', /^must be \* or a list of ETags, such as "v7"$/)
    },
  )
})
