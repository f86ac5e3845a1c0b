import { expect, test } from 'vitest'
import { createEnding } from './ending.ts'

test('A stop names what it still waits for, each as often as it does, also after a failure', async () => {
  const { waitsFor, until } = createEnding()
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const failed = Promise.withResolvers<string>()
  const ends = [until('lanes', first.promise), until('lanes', second.promise), until('jobs', failed.promise)]
  expect(waitsFor()).toEqual(['lanes', 'lanes', 'jobs'])
  first.resolve('over')
  expect(await ends[0]).toBe('over')
  expect(waitsFor()).toEqual(['lanes', 'jobs'])
  failed.reject(new Error('no'))
  await expect(ends[2]).rejects.toThrow('no')
  expect(waitsFor()).toEqual(['lanes'])
})
