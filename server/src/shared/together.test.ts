import { setTimeout as sleep } from 'node:timers/promises'
import { array, assert, asyncProperty, integer, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { together } from './together.ts'

describe('questions asked together', () => {
  test('get each its own answer, up to so many in an ask', async () => {
    await assert(
      asyncProperty(
        array(record({ question: integer(), after: integer({ min: 0, max: 3 }) }), { maxLength: 60 }),
        integer({ min: 1, max: 10 }),
        async (calls, most) => {
          const sizes: number[] = []
          const ask = together(async (questions: number[]) => {
            sizes.push(questions.length)
            await sleep(questions.length % 2)
            return questions.map((question) => `answer to ${question}`)
          }, most)
          const answers = await Promise.all(
            calls.map(async ({ question, after }) => {
              await sleep(after)
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
    const asks: number[][] = []
    const ask = together(async (questions: number[]) => {
      asks.push(questions)
      await sleep(15)
      return questions
    }, 100)
    const all = [ask(1)]
    for (const question of [2, 3, 4]) {
      await sleep(2)
      all.push(ask(question))
    }
    await Promise.all(all)
    expect(asks).toEqual([[1], [2, 3, 4]])
  })

  test('do not wait for long behind one that hangs, and four at most hang', async () => {
    const asks: number[][] = []
    const ask = together((questions: number[]) => {
      asks.push(questions)
      return questions.includes(0) ? new Promise<number[]>(() => undefined) : Promise.resolve(questions)
    }, 100)
    void ask(0)
    await sleep(5)
    expect(await ask(7)).toBe(7)
    for (let hanging = 2; hanging <= 6; hanging++) {
      void ask(0)
      await sleep(40)
    }
    expect(asks.filter((questions) => questions.includes(0))).toHaveLength(4)
  })

  test('fail with their ask, and the next go on', async () => {
    const ask = together(async (questions: number[]) => {
      if (questions.includes(13)) throw new Error('Unlucky.')
      return questions
    }, 100)
    const outcomes = await Promise.allSettled([ask(12), ask(13)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await ask(14)).toBe(14)
  })
})
