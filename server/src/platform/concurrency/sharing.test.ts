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

describe('those who ask the same at one time', () => {
  test('share the answer after the one that is on its way, and no older one', async () => {
    const { asked, ask } = held()
    const first = ask('a')
    await expect.poll(() => asked.length).toBe(1)
    const later = [ask('a'), ask('a'), ask('a')]
    expect(asked).toHaveLength(1)
    asked[0]!.resolve('old')
    expect(await first).toBe('old')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]!.resolve('new')
    expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
  })

  test('do not wait for one that hangs', async () => {
    const { asked, ask } = held()
    void ask('a')
    await expect.poll(() => asked.length).toBe(1)
    const later = [ask('a'), ask('a')]
    await expect.poll(() => asked.length).toBe(2)
    asked[1]!.resolve('new')
    expect(await Promise.all(later)).toEqual(['new', 'new'])
  })

  test('do not share with those who ask something else', async () => {
    const { asked, ask } = held()
    const answers = [ask('a'), ask('b')]
    await expect.poll(() => asked.map(({ question }) => question)).toEqual(['a', 'b'])
    for (const { question, resolve } of asked) resolve(question)
    expect(await Promise.all(answers)).toEqual(['a', 'b'])
  })

  test('fail together, and who waits is asked for all the same', async () => {
    const { asked, ask } = held()
    const first = ask('a')
    await expect.poll(() => asked.length).toBe(1)
    const second = ask('a')
    asked[0]!.reject(new Error('unreachable'))
    await expect(first).rejects.toThrow('unreachable')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]!.resolve('there')
    expect(await second).toBe('there')
  })

  test('are asked again after the answer', async () => {
    const { asked, ask } = held()
    for (const round of [1, 2, 3]) {
      const answer = ask('a')
      await expect.poll(() => asked.length).toBe(round)
      asked.at(-1)!.resolve(String(round))
      expect(await answer).toBe(String(round))
    }
  })
})
