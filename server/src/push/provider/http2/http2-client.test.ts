import { expect, test } from 'vitest'
import { http2World } from '../../../../test/support/http2.ts'

test('a request is answered with status, headers and body', async () => {
  await using world = await http2World()
  const answer = await world.send('/one', { body: 'ä body' })
  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'ä body', isWhole: true })
  expect(world.log).toEqual(['/one'])
})

test('a thousand requests leave by one connection, and never more at a time than its limit', async () => {
  await using world = await http2World({ streams: 50, latencyMs: 5 }, { connections: 1 })
  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => world.send(`/${n}`)))
  expect(answers.every(({ kind }) => kind === 'answered')).toBe(true)
  expect(world.double.counts()).toMatchObject({ connections: 1, taken: 1_000 })
  expect(world.double.counts().mostOpen).toBeLessThanOrEqual(50)
})

test('an honest GOAWAY each hundred requests loses, doubles and forgets none', async () => {
  await using world = await http2World({ goawayEvery: 100, latencyMs: 5 }, { connections: 2 })
  const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => world.send(`/${n}`)))
  expect(answers.filter(({ kind }) => kind === 'answered')).toHaveLength(300)
  expect(new Set(world.log).size).toBe(world.log.length)
  expect(world.log).toHaveLength(300)
})
