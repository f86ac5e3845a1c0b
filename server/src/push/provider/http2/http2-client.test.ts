// Slow: connections to providers are opened one a second.
import { sensitiveHeaders } from 'node:http2'
import { expect, test } from 'vitest'
import type { DoubleRequest } from '../../../../../simulator/src/http2/double.ts'
import { http2World } from '../../../../test/support/http2.ts'
import { until } from '../../../../test/support/until.ts'

test('a request is answered with status, headers and body', async () => {
  await using world = await http2World()
  const answer = await world.send('/one', { body: 'ä body' })
  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'ä body', isWhole: true })
  expect(world.log).toEqual(['/one'])
})

test('an answer without a body is whole', async () => {
  await using world = await http2World({ answer: () => ({ status: 410, headers: { 'apns-id': 'x' } }) })
  const answer = await world.send('/one')
  expect(answer).toMatchObject({ kind: 'answered', status: 410, headers: { 'apns-id': 'x' }, body: '', isWhole: true })
})

test('path and authorization never enter the table of header compression', async () => {
  const requests: DoubleRequest[] = []
  await using world = await http2World({
    answer: (request) => {
      requests.push(request)
      return { status: 200 }
    },
  })
  await world.send('/one', { headers: { authorization: 'bearer x', 'apns-topic': 'y' } })
  const [request] = requests
  expect(request).toMatchObject({ method: 'POST', headers: { authorization: 'bearer x', 'apns-topic': 'y' } })
  expect(Reflect.get(request?.headers ?? {}, sensitiveHeaders)).toEqual([':path', 'authorization'])
})

test('a thousand requests leave by one connection, and never more at a time than its limit', async () => {
  await using world = await http2World({ streams: 50, latencyMs: 5 }, { connections: 1 })
  const answers = await Promise.all(Array.from({ length: 1_000 }, async (_, n) => world.send(`/${n}`)))
  expect(answers.every(({ kind }) => kind === 'answered')).toBe(true)
  expect(world.double.counts()).toMatchObject({ connections: 1, taken: 1_000, mostOpen: 50 })
})

test('an honest GOAWAY each hundred requests loses, doubles and forgets none', async () => {
  await using world = await http2World(
    { goawayEvery: 100, streams: 40, latencyMs: 5 },
    { connections: 1, timeoutMs: 600_000 },
  )
  const answers = await world.pass(Promise.all(Array.from({ length: 1_000 }, async (_, n) => world.send(`/${n}`))))
  expect(answers.filter(({ kind }) => kind !== 'answered')).toEqual([])
  expect(new Set(world.log).size).toBe(world.log.length)
  expect(world.log).toHaveLength(1_000)
})

test('an answer longer than 64 KB is cut off', async () => {
  await using world = await http2World({ answer: () => ({ status: 500, body: 'x'.repeat(200_000) }) })
  const answer = await world.pass(world.send('/one'))
  expect(answer).toMatchObject({ kind: 'answered', status: 500, isWhole: false })
  expect(answer.kind === 'answered' && answer.body.length).toBeLessThanOrEqual(65_536)
})

test.for([
  ['says no', () => false],
  ['says no later', async () => false],
  ['throws', () => raise()],
  ['rejects', async () => raise()],
] as [string, () => boolean | Promise<boolean>][])('a request is not sent when the gate %s', async ([, mayBegin]) => {
  await using world = await http2World()
  expect(await world.send('/one', { mayBegin })).toEqual({ kind: 'unsent', why: 'forbidden' })
  expect(world.log).toEqual([])
})

test('20,000 requests that wait may all be forbidden at once', async () => {
  await using world = await http2World()
  const answers = await Promise.all(
    Array.from({ length: 20_000 }, async (_, n) => world.send(`/${n}`, { mayBegin: () => false })),
  )
  expect(answers.filter(({ kind }) => kind !== 'unsent')).toEqual([])
  expect(world.log).toEqual([])
})

test('the gate is asked just before a request leaves, and again before it leaves once more', async () => {
  const asked: string[] = []
  const gate = Promise.withResolvers<unknown>()
  await using world = await http2World({ streams: 1 }, { connections: 1 })
  const send = async (path: string) => world.send(path, { mayBegin: async () => asked.push(path) > 0 })
  world.double.script([
    { kind: 'slow', until: gate.promise },
    { kind: 'reset', code: 7, when: 'before' },
  ])
  const both = Promise.all([send('/one'), send('/two')])
  await until('the first has left', 0, () => world.log.length === 1)
  expect(asked).toEqual(['/one'])
  gate.resolve(0)
  await world.pass(both)
  expect(asked).toEqual(['/one', '/two', '/two'])
  expect(world.log).toEqual(['/one', '/two'])
})

test('a request that could not leave in its time is unsent', async () => {
  await using world = await http2World({ streams: 1 }, { connections: 1 })
  world.double.script([{ kind: 'silent', when: 'after' }])
  const one = world.send('/one')
  // It could leave when the first gives up, with a tenth of a second left for its answer.
  world.advance(100)
  const answers = await world.pass(Promise.all([one, world.send('/two')]))
  expect(answers).toEqual([{ kind: 'unknown' }, { kind: 'unsent', why: 'unreachable' }])
  expect(world.log).toEqual(['/one'])
})

test('the quarantine has a connection of its own', async () => {
  const connections = new Map<string, number>()
  await using world = await http2World({
    answer: ({ path, connection }) => {
      connections.set(path, connection.number)
      return { status: 200 }
    },
  })
  const suspect = { isQuarantined: true }
  for (const round of [1, 2])
    await world.pass(Promise.all([world.send(`/good-${round}`), world.send(`/bad-${round}`, suspect)]))
  expect(world.double.counts()).toMatchObject({ connections: 2 })
  expect(connections.get('/good-1')).toBe(connections.get('/good-2'))
  expect(connections.get('/bad-1')).toBe(connections.get('/bad-2'))
})

test('a close waits for what left, and sends nothing more', async () => {
  const gate = Promise.withResolvers<unknown>()
  await using world = await http2World({ streams: 1 }, { connections: 1 })
  world.double.script([{ kind: 'slow', until: gate.promise }])
  const both = Promise.all([world.send('/one'), world.send('/two')])
  await until('the first has left', 0, () => world.log.length === 1)
  const closed = world.client.close()
  gate.resolve(0)
  expect(await both).toMatchObject([{ kind: 'answered' }, { kind: 'unsent', why: 'unreachable' }])
  await closed
  expect(await world.send('/three')).toEqual({ kind: 'unsent', why: 'unreachable' })
  expect(world.log).toEqual(['/one'])
})

test('a close leaves twenty seconds to what left', async () => {
  await using world = await http2World({}, { timeoutMs: 60_000 })
  world.double.script([{ kind: 'silent', when: 'after' }])
  const answer = world.send('/one')
  await until('it has left', 0, () => world.log.length === 1)
  const began = world.now()
  await world.pass(world.client.close())
  expect(await answer).toEqual({ kind: 'unknown' })
  expect(world.now() - began).toBeLessThan(30_000)
})

function raise(): never {
  throw new Error('the gate is broken')
}
