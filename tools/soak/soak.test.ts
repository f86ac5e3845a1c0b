// For CI: torture, the demonstration or the load.
import { describe, expect, onTestFinished, test } from 'vitest'
import { otherPrograms } from '../../server/test/support/postgres.ts'
import { startPlain } from '../torture/environment.ts'
import { judge, type Sample } from './samples.ts'
import { soak } from './soak.ts'

const ROUNDS = 40

test('a soak in small ends by itself, with nothing lost, invented or doubled without being counted', async () => {
  const environment = await startPlain({ programs: otherPrograms() })
  onTestFinished(() => environment.close(false))
  const said: string[] = []
  const wish = { minutes: 0.1, shorten: 3_600, users: 100, seed: 7 }
  expect(await soak(environment, wish, (line) => said.push(line))).toEqual([])
  expect(said[0]).toMatch(/^round 1: [1-9]\d* messages, [1-9]\d* pushes, .*, 0 deadlocks$/)
})

describe('after two hours a soak', () => {
  test('finds nothing where all stays as it is, or grows with its rows', () => {
    expect(judge(createSamples(() => ({})))).toEqual([])
    expect(judge(createSamples((n) => ({ rows: 1_000 * n, bytes: 5_000_000 * n })))).toEqual([])
  })

  test.for<[number, string[]]>([
    [10_200, []],
    [10_050, ['work (bytes) grew from 1005000 to 3500000']],
  ])('forgives an index a page for each row more, of %i among ten thousand', ([rows, says]) => {
    const bytes = [1_000_000, 3_500_000] as const
    expect(
      judge(createSamples((n) => (n < 25 ? { rows: 10_000, bytes: bytes[0] } : { rows, bytes: bytes[1] }))),
    ).toEqual(says)
  })

  test.for<[string, (n: number) => Change]>([
    ['the memory of web-1 (MB) grew from 300 to 390', (n) => ({ megabytes: n < 25 ? 300 : 390 })],
    ['work (bytes) grew from 5000000 to 9000000', (n) => ({ bytes: n < 25 ? 5_000_000 : 9_000_000 })],
    ['the dead rows of work grew from 900 to 40000', (n) => ({ dead: n < 25 ? 900 : 40_000 })],
    ['3 deadlocks', () => ({ deadlocks: 3 })],
  ])('says that %s', ([says, change]) => {
    expect(judge(createSamples(change))).toEqual([says])
  })

  test('forgives one peak, and judges no growth of a few rounds', () => {
    expect(judge(createSamples((n) => ({ megabytes: n === 35 ? 900 : 300 })))).toEqual([])
    expect(judge(createSamples((n) => ({ megabytes: 100 * n })).slice(0, 31))).toEqual([])
  })
})

type Change = { megabytes?: number; bytes?: number; rows?: number; dead?: number; deadlocks?: number }

/** `change` of the rounds from 1 on. */
function createSamples(change: (round: number) => Change): Sample[] {
  return Array.from({ length: ROUNDS }, (_, n) => {
    const { megabytes = 300, bytes = 5_000_000, rows = 1_000, dead = 900, deadlocks = 0 } = change(n + 1)
    return { megabytes: { 'web-1': megabytes }, relations: [{ name: 'work', bytes, rows, dead }], deadlocks }
  })
}
