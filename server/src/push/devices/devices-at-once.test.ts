// Slow: a second or more for each test, or five for the file.
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { deadlocks } from '../../../test/support/statistics.ts'
import { toDevices, phone, register } from '../../../test/support/devices.ts'

const ROUNDS = 6

test('more phones of one person than may ring, all at once, never wait in a circle', async ({ service, given }) => {
  const user = await given.user()
  const phones = Array.from({ length: 48 }, () => phone())
  const before = await deadlocks(service.deps)
  const answers = await Promise.all(
    Array.from({ length: ROUNDS * 48 }, (_, n) => register(service, user, phones[(n * 29) % 48]!)),
  )
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(await deadlocks(service.deps)).toBe(before)
  expect((await toDevices(service, user)).filter((row) => row.removed_at === null)).toHaveLength(20)
})

test('people whose phones change hands at once never wait in a circle, and each token rings for one', async ({
  service,
  given,
}) => {
  const users = await Promise.all(Array.from({ length: 4 }, () => given.user()))
  const phones = Array.from({ length: 24 }, () => phone())
  const before = await deadlocks(service.deps)
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(
      users.flatMap((user, place) =>
        phones.map((_, n) => register(service, user, phones[(n * (place % 2 ? 1 : 23) + place) % 24]!)),
      ),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  }
  expect(await deadlocks(service.deps)).toBe(before)
  const rows = (await Promise.all(users.map((user) => toDevices(service, user)))).flat()
  const ringing = rows.filter((row) => row.removed_at === null).map(({ token }) => token)
  expect(new Set(ringing).size).toBe(ringing.length)
})
