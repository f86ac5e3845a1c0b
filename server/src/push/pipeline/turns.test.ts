import { expect, test } from 'vitest'
import { createTurns, inTurn } from './turns.ts'

test('claims and settling of several providers leave three connections, and the urgent are next', async () => {
  const turns = createTurns(2, 6)
  const began: string[] = []
  const ends: (() => void)[] = []
  const begin = (name: string, lane: 'campaign' | 'transactional') =>
    inTurn({ turns }, lane === 'transactional', () => {
      began.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = ['a', 'b', 'c', 'd'].map((name) => begin(name, 'campaign')).concat(begin('urgent', 'transactional'))
  await expect.poll(() => began).toEqual(['a', 'b', 'c'])
  ends[0]?.()
  await expect.poll(() => began).toEqual(['a', 'b', 'c', 'urgent'])
  ends[1]?.()
  await expect.poll(() => began).toEqual(['a', 'b', 'c', 'urgent', 'd'])
  for (const end of ends) end()
  await Promise.all(all)
})

test('one provider alone waits for no turn', () => {
  expect(createTurns(1, 6)).toBeUndefined()
})
