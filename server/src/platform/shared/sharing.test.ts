import { describe, expect, test } from 'vitest'
import { sharing } from './sharing.ts'

type Asked = { question: string; resolve: (answer: string) => void; reject: (error: Error) => void }

/** Questions that are answered when the test says so. */
function held() {
  const asked: Asked[] = []
  const ask = sharing(
    (question: string) => new Promise<string>((resolve, reject) => asked.push({ question, resolve, reject })),
    (question) => question,
  )
  return { asked, ask }
}

describe('concurrent callers with the same question', () => {
  test('share the next answer, never one that was under way', async () => {
    const { asked, ask } = held()
    const first = ask('a')
    const later = [ask('a'), ask('a'), ask('a')]
    expect(asked).toHaveLength(1)
    asked[0]!.resolve('old')
    expect(await first).toBe('old')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]!.resolve('new')
    expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
  })

  test('do not share with callers of another question', async () => {
    const { asked, ask } = held()
    const answers = [ask('a'), ask('b')]
    expect(asked.map(({ question }) => question)).toEqual(['a', 'b'])
    for (const { question, resolve } of asked) resolve(question)
    expect(await Promise.all(answers)).toEqual(['a', 'b'])
  })

  test('fail together, and waiting callers are still answered', async () => {
    const { asked, ask } = held()
    const first = ask('a')
    const second = ask('a')
    asked[0]!.reject(new Error('unreachable'))
    await expect(first).rejects.toThrow('unreachable')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]!.resolve('there')
    expect(await second).toBe('there')
  })

  test('keep no answer: a later question is asked again', async () => {
    const { asked, ask } = held()
    for (const round of [1, 2, 3]) {
      const answer = ask('a')
      asked.at(-1)!.resolve(String(round))
      expect(await answer).toBe(String(round))
      expect(asked).toHaveLength(round)
    }
  })
})
