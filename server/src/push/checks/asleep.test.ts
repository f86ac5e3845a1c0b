import { expect, test } from 'vitest'
import { listAsleep } from './checks.ts'

test('no turn of the event loop computes the quiet hours of more than a hundred people', async () => {
  const inTurns = new Map<number, number>()
  let turn = 0
  let isCounting = true
  const count = () => {
    turn++
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const people = Array.from(
    { length: 1_600 },
    (_, n) => [n, { quiet: { start: n % 1_440, end: 0, zone: 'UTC' } }] as const,
  )
  const asleep = await listAsleep(new Map(people), ({ start }) => {
    inTurns.set(turn, (inTurns.get(turn) ?? 0) + 1)
    return start % 2 === 0 ? new Date(0) : undefined
  })
  isCounting = false
  expect(asleep).toEqual(people.flatMap(([userId]) => (userId % 2 === 0 ? [userId] : [])))
  expect(Math.max(...inTurns.values())).toBeLessThanOrEqual(100)
})
