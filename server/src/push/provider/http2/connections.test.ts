// Slow: connections to providers are opened one a second.
import { expect, test } from 'vitest'
import type { DoubleConnection } from '../../../../../simulator/src/http2/connection.ts'
import { http2World } from '../../../../test/support/http2.ts'
import { until } from '../../../../test/support/until.ts'

const ANSWERED = { kind: 'answered', status: 200 }
const UNREACHABLE = { kind: 'unsent', why: 'unreachable' }
const HOUR_MS = 3_600_000

test('a black hole is found within ten seconds, its requests are unknown, and the next leaves by another', async () => {
  await using world = await http2World({}, { connections: 1, timeoutMs: 60_000 })
  await world.send('/first')
  world.double.script([{ kind: 'silent', when: 'after', times: 5 }])
  const lost = Promise.all(Array.from({ length: 5 }, async (_, n) => world.send(`/lost-${n}`)))
  await until('they have left', 0, () => world.log.length === 6)
  world.double.loseConnections()
  const began = world.now()
  expect(await world.pass(lost)).toEqual(Array.from({ length: 5 }, () => ({ kind: 'unknown' })))
  expect(world.now() - began).toBeLessThan(10_000)
  expect(await world.pass(world.send('/next'))).toMatchObject(ANSWERED)
})

test('a connection that was quiet for a minute answers a PING before a request leaves by it', async () => {
  await using world = await http2World({}, { connections: 1 })
  await world.send('/first')
  world.advance(61_000)
  expect(await world.pass(world.send('/second'))).toMatchObject(ANSWERED)
  expect(world.double.counts().connections).toBe(1)
  world.double.loseConnections()
  world.advance(61_000)
  expect(await world.pass(world.send('/third'))).toMatchObject(ANSWERED)
  expect(world.double.counts().connections).toBe(2)
  expect(world.log).toEqual(['/first', '/second', '/third'])
})

test('a connection is replaced after hours', async () => {
  await using world = await http2World({}, { connections: 1 })
  await world.send('/first')
  world.advance(8 * HOUR_MS)
  await until('it is closed', 0, () => world.double.counts().live === 0)
  expect(await world.pass(world.send('/second'))).toMatchObject(ANSWERED)
  expect(world.double.counts()).toMatchObject({ connections: 2, live: 1 })
})

test('one connection a second is opened while requests wait for a place', async () => {
  const openedAt: number[] = []
  await using world = await http2World(
    { streams: 1 },
    {
      connections: 4,
      resolve: async () => {
        openedAt.push(world.now())
        return ['127.0.0.1']
      },
    },
  )
  world.double.script([{ kind: 'silent', when: 'after', times: 0 }])
  await world.pass(Promise.all(Array.from({ length: 6 }, async (_, n) => world.send(`/${n}`))))
  expect(openedAt).toHaveLength(4)
  for (const [n, at] of openedAt.entries()) if (n > 0) expect(at - (openedAt[n - 1] ?? 0)).toBeGreaterThanOrEqual(1_000)
})

test('a name is resolved before each connection, and the next of its addresses is taken', async () => {
  let asked = 0
  await using world = await http2World(
    {},
    {
      resolve: async () => {
        asked++
        return ['127.0.0.2', '127.0.0.1']
      },
    },
  )
  expect(await world.pass(world.send('/one'))).toMatchObject(ANSWERED)
  expect(asked).toBe(2)
})

test.for([
  ['no address answers', async () => ['127.0.0.2']],
  ['the name has no address', async () => Promise.reject(new Error('ENOTFOUND'))],
] as const)('requests are unreachable at once when %s', async ([, resolve]) => {
  await using world = await http2World({}, { resolve })
  expect(await world.send('/one')).toEqual(UNREACHABLE)
})

test('a peer with another authority gets nothing', async () => {
  await using world = await http2World({}, { ca: undefined })
  expect(await world.send('/one')).toEqual(UNREACHABLE)
  expect(world.log).toEqual([])
})

test('a limit of one holds until the peer raises it', async () => {
  await using world = await http2World(
    {
      streams: 1,
      latencyMs: 5,
      answer: ({ connection, path }) => {
        if (path === '/0') connection.setLimit(100)
        return { status: 200 }
      },
    },
    { connections: 1 },
  )
  const answers = await Promise.all(Array.from({ length: 300 }, async (_, n) => world.send(`/${n}`)))
  expect(answers.filter(({ kind }) => kind !== 'answered')).toEqual([])
  expect(world.double.counts()).toMatchObject({ connections: 1, taken: 300, mostOpen: 100 })
})

test('a limit that falls to one and rises again costs no request', async () => {
  await using world = await http2World({ streams: 100, latencyMs: 5 }, { connections: 1 })
  world.double.script([
    { kind: 'limit', streams: 1, path: '/100' },
    { kind: 'limit', streams: 100, path: '/260' },
  ])
  const answers = await Promise.all(Array.from({ length: 400 }, async (_, n) => world.send(`/${n}`)))
  expect(answers.filter(({ kind }) => kind !== 'answered')).toEqual([])
  expect(world.log).toHaveLength(400)
})

test('a limit of zero lets nothing leave until it rises', async () => {
  const seen: DoubleConnection[] = []
  await using world = await http2World(
    {
      answer: ({ connection }) => {
        seen.push(connection)
        return { status: 200 }
      },
    },
    { connections: 1 },
  )
  world.double.script([{ kind: 'limit', streams: 0 }])
  await world.send('/first')
  expect(await world.pass(world.send('/late'))).toEqual(UNREACHABLE)
  const waiting = world.send('/second')
  seen[0]?.setLimit(5)
  expect(await waiting).toMatchObject(ANSWERED)
  expect(world.double.counts()).toMatchObject({ connections: 1, taken: 2 })
})

test('a TLS handshake of ten seconds holds nobody up: another connection is opened, and one is enough', async () => {
  const gate = Promise.withResolvers<unknown>()
  await using world = await http2World({}, { connections: 1 })
  world.double.script([{ kind: 'slow-tls', until: gate.promise }])
  expect(await world.pass(world.send('/one'))).toMatchObject(ANSWERED)
  expect(world.double.counts()).toMatchObject({ connections: 1, live: 1 })
  gate.resolve(0)
  await until('the late one has come and gone', 0, () => {
    const { connections, live } = world.double.counts()
    return connections === 2 && live === 1
  })
})

test('a handshake that never ends, or a peer that hangs up before it, leaves requests unsent', async () => {
  await using world = await http2World({}, { connections: 1, timeoutMs: 30_000 })
  const never = new Promise(() => undefined)
  world.double.script([{ kind: 'slow-tls', until: never, times: 0 }])
  expect(await world.pass(world.send('/one'))).toEqual(UNREACHABLE)
  world.double.clearScript()
  world.double.script([{ kind: 'no-tls', times: 0 }])
  expect(await world.pass(world.send('/two'))).toEqual(UNREACHABLE)
  world.double.clearScript()
  // An opening that began before may fail only now, and then the next request is told so.
  let answer = await world.pass(world.send('/three'))
  await until('the peer is reached again', 0, async () => {
    if (answer.kind !== 'answered') answer = await world.pass(world.send('/three'))
    return answer.kind === 'answered'
  })
  expect(answer).toMatchObject(ANSWERED)
})

test('a connection that rests is left alone, and another takes over', async () => {
  await using world = await http2World({}, { connections: 1 })
  const first = await world.send('/one')
  if (first.kind === 'answered') first.connection.rest(60_000)
  await world.pass(world.send('/two'))
  expect(world.double.counts()).toMatchObject({ connections: 2, live: 2 })
})

test('a connection that is retired ends after its last request', async () => {
  const gate = Promise.withResolvers<unknown>()
  await using world = await http2World({}, { connections: 1 })
  world.double.script([{ kind: 'slow', until: gate.promise, path: '/slow' }])
  const slow = world.send('/slow')
  const first = await world.send('/one')
  if (first.kind === 'answered') first.connection.retire()
  await world.pass(world.send('/two'))
  expect(world.double.counts()).toMatchObject({ connections: 2, live: 2 })
  gate.resolve(0)
  expect(await slow).toMatchObject(ANSWERED)
  await until('it has ended', 0, () => world.double.counts().live === 1)
})
