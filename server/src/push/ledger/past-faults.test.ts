import { assert, asyncProperty, integer, oneof, uniqueArray } from 'fast-check'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { queryBuilder } from '../../platform/db/connect.ts'
import { createLog } from '../../platform/shared/log.ts'
import { pastFaults, togetherOrAlone } from './past-faults.ts'

const ROWS = 120
const MOST = 50
const FAULTS_MOST = 20

const someRows = (lengths: { minLength?: number; maxLength?: number }) =>
  uniqueArray(integer({ min: 1, max: ROWS }), lengths)
const faultyRows = oneof(
  someRows({ maxLength: 4 }),
  someRows({ minLength: FAULTS_MOST - 1, maxLength: FAULTS_MOST + 2 }),
)
const inOrder = (rows: Iterable<number>) => [...rows].toSorted((a, b) => a - b)
const isFaulty = (faulty: number[]) => (some: number[]) => {
  const found = some.find((row) => faulty.includes(row))
  if (found !== undefined) throw new Error(`row ${found} cannot be done`)
}

test('rounds pass by the rows that cannot be done, up to twenty, and tell of the first of them', async () => {
  const db = queryBuilder(new Pool())
  await assert(
    asyncProperty(faultyRows, async (faulty) => {
      const done = new Set<number>()
      const check = isFaulty(faulty)
      let rounds = 0
      const walking = pastFaults(db, MOST, async ({ after, limit }, note) => {
        rounds++
        const found = Array.from({ length: Math.min(limit, ROWS - after) }, (_, n) => after + n + 1)
        note(found)
        check(found)
        for (const row of found) done.add(row)
      })
      const [first, ...others] = inOrder(faulty)
      const tooMany = others[FAULTS_MOST - 1]
      if (first === undefined) await walking
      else await expect(walking).rejects.toThrow(tooMany === undefined ? `row ${first} ` : 'cannot be done')
      const given = tooMany === undefined ? ROWS : (others[FAULTS_MOST - 2] ?? 0)
      const most = Array.from({ length: given }, (_, n) => n + 1)
      expect(inOrder(done)).toEqual(expect.arrayContaining(most.filter((row) => !faulty.includes(row))))
      expect(Math.max(0, ...done)).toBeLessThan(tooMany ?? ROWS + 1)
      // Rounds of 1, 2, 4 … rows come close to a fault: at most six, then five, down to the one that meets it alone.
      expect(rounds).toBeLessThanOrEqual(6 + 21 * Math.min(faulty.length, FAULTS_MOST + 1))
    }),
  )
})

test('what cannot be stored together is stored alone, and only what cannot be stored at all is not', async () => {
  const log = createLog('silent')
  await assert(
    asyncProperty(faultyRows, someRows({ minLength: 1 }), async (faulty, items) => {
      const stored: number[] = []
      const check = isFaulty(faulty)
      const storing = togetherOrAlone(log, items, async (some) => {
        check(some)
        stored.push(...some)
      })
      const first = items.find((item) => faulty.includes(item))
      if (first === undefined) await storing
      else await expect(storing).rejects.toThrow(`row ${first} cannot be done`)
      expect(stored).toEqual(items.filter((item) => !faulty.includes(item)))
    }),
  )
})
