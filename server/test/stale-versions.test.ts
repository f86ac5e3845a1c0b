// Slow: a second or more for each test, or five for the file.
import { expect } from 'vitest'
import { test } from './support/app.ts'
import { allowedHeaders, make } from './support/callers.ts'
import { createCalls, givenWorld } from './support/calls.ts'

/** Changes of what one person alone may change. */
const OF_ONE_PERSON = [
  'PUT /api/user/settings',
  'PATCH /api/v1/me/settings',
  'PUT /api/v1/products/:id/like',
  'PATCH /api/v1/groups/:id/members/:user_id',
  'PATCH /api/v1/account/passkeys/:passkey_id',
]

test('every record that two people may change answers a stale version with 412 and the present record', async ({
  service,
}) => {
  const world = await givenWorld(service)
  const calls = Object.entries(createCalls(world)).filter(([name]) => /^(?:PATCH|PUT) /.test(name))
  expect(calls.map(([name]) => name)).toEqual(expect.arrayContaining(OF_ONE_PERSON))
  const answers: unknown[] = []
  for (const [name, call] of calls.filter(([route]) => !OF_ONE_PERSON.includes(route))) {
    const headers = { ...(await allowedHeaders(service, world, name)), 'if-match': '"v999999"' }
    const answer = await make(service, call, headers)
    const { code, data } = answer.json()
    answers.push([name, answer.statusCode, code, typeof data?.version])
  }
  expect(answers.length).toBeGreaterThan(6)
  for (const [name, ...answer] of answers as unknown[][])
    expect([name, ...answer]).toEqual([name, 412, 'STALE_VERSION', 'number'])
})
