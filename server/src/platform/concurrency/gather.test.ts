import { setImmediate as turn } from 'node:timers/promises'
import { array, assert, asyncProperty, integer, record } from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { gather } from './gather.ts'

afterEach(() => vi.useRealTimers())

describe('questions asked together', () => {
  test('each get their own answer, up to a maximum in one statement', async () => {
    await assert(
      asyncProperty(
        array(record({ question: integer(), after: integer({ min: 0, max: 3 }) }), { maxLength: 60 }),
        integer({ min: 1, max: 10 }),
        async (calls, most) => {
          const sizes: number[] = []
          const ask = gather(async (questions: number[]) => {
            sizes.push(questions.length)
            await turns(questions.length % 2)
            return questions.map((question) => `answer to ${question}`)
          }, most)
          const answers = await Promise.all(
            calls.map(async ({ question, after }) => {
              await turns(after)
              return ask(question)
            }),
          )
          expect(answers).toEqual(calls.map(({ question }) => `answer to ${question}`))
          expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(most)
          expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(calls.length)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('wait while one ask runs, and then go in one', async () => {
    vi.useFakeTimers()
    const asks: number[][] = []
    const first = Promise.withResolvers<number[]>()
    const ask = gather((questions: number[]) => {
      asks.push(questions)
      return asks.length === 1 ? first.promise : Promise.resolve(questions)
    }, 100)
    const answers = [ask(1)]
    for (const question of [2, 3, 4]) {
      await vi.advanceTimersByTimeAsync(5)
      answers.push(ask(question))
    }
    await vi.advanceTimersByTimeAsync(5)
    expect(asks).toEqual([[1]])
    first.resolve([1])
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4])
    expect(asks).toEqual([[1], [2, 3, 4]])
  })

  test('do not wait long behind a statement that hangs, and at most four run at once', async () => {
    vi.useFakeTimers()
    const asks: number[][] = []
    const ask = gather((questions: number[]) => {
      asks.push(questions)
      return questions.includes(0) ? new Promise<number[]>(() => undefined) : Promise.resolve(questions)
    }, 100)
    void ask(0)
    await vi.advanceTimersByTimeAsync(5)
    const behind = ask(7)
    await vi.advanceTimersByTimeAsync(24)
    expect(asks).toEqual([[0]])
    await vi.advanceTimersByTimeAsync(2)
    expect(await behind).toBe(7)
    for (let hanging = 2; hanging <= 6; hanging++) {
      void ask(0)
      await vi.advanceTimersByTimeAsync(40)
    }
    expect(asks.filter((questions) => questions.includes(0))).toHaveLength(4)
  })

  test('fail with their statement, and the next ones run', async () => {
    const ask = gather(async (questions: number[]) => {
      if (questions.includes(13)) throw new Error('Unlucky.')
      return questions
    }, 100)
    const outcomes = await Promise.allSettled([ask(12), ask(13)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await ask(14)).toBe(14)
  })

  test('fail when one of them got no answer', async () => {
    const ask = gather((questions: number[]) => Promise.resolve(questions.slice(1)), 100)
    const outcomes = await Promise.allSettled([ask(1), ask(2)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

/** Lets the event loop turn so often. */
async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await turn()
}
