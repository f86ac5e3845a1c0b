import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { queryBuilder } from '../../platform/db/connect.ts'
import { eachHome } from './home.queries.ts'

test('a home that fails holds up no other, and its error is told when all were tried', async () => {
  const db = queryBuilder(Object.assign(new Pool(), { homes: 4 }))
  const tried: number[] = []
  const work = async (home: number) => {
    tried.push(home)
    if (home === 1) throw new Error('its server is away')
  }
  await expect(eachHome(db, work)).rejects.toThrow('its server is away')
  expect(tried.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
})
