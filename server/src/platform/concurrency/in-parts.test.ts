import { expect, test } from 'vitest'
import { inParts, type Call } from './in-parts.ts'

const held = () => Promise.withResolvers<string>()
const calls = (...results: { promise: Promise<string> }[]): Call<string>[] =>
  results.map(
    ({ promise }) =>
      async (give) =>
        give(await promise),
  )

test('results that come together are taken together, at once', async () => {
  const [a, b] = [held(), held()]
  const parts: string[][] = []
  const ended = inParts(calls(a, b), async (part) => parts.push(part), 3_600_000)
  b.resolve('b')
  a.resolve('a')
  await ended
  expect(parts).toEqual([['b', 'a']])
})

test('a late result delays no other, and nothing is taken twice or while a part is taken', async () => {
  const [a, b, c] = [held(), held(), held()]
  const parts: string[][] = []
  const taking = Promise.withResolvers<void>()
  const take = async (part: string[]) => {
    parts.push(part)
    if (parts.length === 1) await taking.promise
  }
  const ended = inParts(calls(a, b, c), take, 1)
  a.resolve('a')
  await expect.poll(() => parts).toEqual([['a']])
  b.resolve('b')
  c.resolve('c')
  await Promise.all([b.promise, c.promise])
  expect(parts).toEqual([['a']])
  taking.resolve()
  await ended
  expect(parts.flat()).toEqual(['a', 'b', 'c'])
})

test('no calls take nothing; a call that fails fails all, after what came before was taken', async () => {
  await inParts([], () => Promise.reject(new Error('taken')))
  const [a, b] = [held(), held()]
  const parts: string[][] = []
  const ended = inParts(calls(a, b), async (part) => parts.push(part), 3_600_000)
  a.resolve('a')
  await a.promise
  b.reject(new Error('b'))
  await expect(ended).rejects.toThrow('b')
  expect(parts).toEqual([['a']])
})

test('a part that cannot be taken, or a call that fails, keeps no later result from being taken', async () => {
  const [a, b, c] = [held(), held(), held()]
  const parts: string[][] = []
  const take = async (part: string[]) => {
    parts.push(part)
    if (parts.length === 1) throw new Error('taking')
  }
  const ended = inParts(calls(a, b, c), take, 1)
  ended.catch(() => undefined)
  a.resolve('a')
  await expect.poll(() => parts).toEqual([['a']])
  b.reject(new Error('b'))
  await expect(b.promise).rejects.toThrow('b')
  c.resolve('c')
  await expect(ended).rejects.toThrow('taking')
  expect(parts).toEqual([['a'], ['c']])
})
