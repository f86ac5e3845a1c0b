import { expect, test } from 'vitest'
import { eachHome } from './home.queries.ts'

test('a home that fails holds up no other, and its error is told when all were tried', async () => {
  const tried: number[] = []
  const work = async (home: number) => {
    tried.push(home)
    if (home === 1) throw new Error('its server is away')
  }
  await expect(eachHome({ homes: 4 }, work)).rejects.toThrow('its server is away')
  expect(tried.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
})
