import { expect, test } from 'vitest'
import { http2World } from '../../../../test/support/http2.ts'
import { until } from '../../../../test/support/until.ts'

test('a limit that falls while the gate is asked holds back what has not left', async () => {
  const gate = Promise.withResolvers<boolean>()
  await using world = await http2World({ streams: 100 }, { connections: 1 })
  await world.send('/first')
  world.double.script([
    { kind: 'limit', streams: 1, path: '/limit' },
    { kind: 'cut', by: 'reset', when: 'after', path: '/held' },
  ])
  const held = Array.from({ length: 50 }, async (_, n) =>
    world.send(`/held-${n}`, { mayBegin: async () => gate.promise }),
  )
  await world.send('/limit')
  gate.resolve(true)
  const answers = await world.pass(Promise.all(held))
  expect(answers.filter(({ kind }) => kind === 'unknown')).toHaveLength(1)
  expect(new Set(world.log).size).toBe(world.log.length)
  expect(world.log).toHaveLength(52)
})

test('what is urgent leaves before what waits longer, and in its own order', async () => {
  const gate = Promise.withResolvers<unknown>()
  await using world = await http2World({ streams: 1 }, { connections: 1 })
  world.double.script([{ kind: 'slow', until: gate.promise }])
  const first = world.send('/first')
  await until('it has left', 0, () => world.log.length === 1)
  const rest = ['/one', '/two', '/urgent-1', '/urgent-2'].map(async (path) =>
    world.send(path, { isUrgent: path.startsWith('/urgent') }),
  )
  gate.resolve(0)
  await Promise.all([first, ...rest])
  expect(world.log).toEqual(['/first', '/urgent-1', '/urgent-2', '/one', '/two'])
})

test('what may not wait is crowded out of a full connection, while others wait on', async () => {
  const gate = Promise.withResolvers<unknown>()
  let isPatient = true
  await using world = await http2World({ streams: 1 }, { connections: 1 })
  world.double.script([{ kind: 'slow', until: gate.promise }])
  const first = world.send('/first')
  await until('it has left', 0, () => world.log.length === 1)
  const impatient = world.send('/impatient', { mayWait: () => isPatient })
  const patient = world.send('/patient')
  isPatient = false
  expect(await impatient).toEqual({ kind: 'unsent', why: 'crowded' })
  gate.resolve(0)
  expect(await Promise.all([first, patient])).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(world.log).toEqual(['/first', '/patient'])
})

test('nothing is crowded out where the peer is not reached', async () => {
  await using world = await http2World({}, { timeoutMs: 5_000, resolve: () => new Promise(() => undefined) })
  const answer = world.send('/one', { isQuarantined: true, mayWait: () => false })
  expect(await world.pass(answer)).toEqual({ kind: 'unsent', why: 'unreachable' })
})

test('a quarantine that finds no connection beside one that works is crowded', async () => {
  let isAway = false
  await using world = await http2World({}, { resolve: async () => [isAway ? '127.0.0.2' : '127.0.0.1'] })
  await world.send('/good')
  isAway = true
  const answer = world.send('/suspect', { isQuarantined: true, mayWait: () => true })
  expect(await world.pass(answer)).toEqual({ kind: 'unsent', why: 'crowded' })
})
