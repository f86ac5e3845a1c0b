// Slow: many costly requests, or long data.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Deps } from '../../deps.ts'
import { errors } from '../shared/errors.ts'
import { installErrorHandler } from '../http/error-handler.ts'
import { installIdempotency } from './idempotency.ts'

const HOUR_MS = 3_600_000
describe('A POST with an Idempotency-Key', () => {
  test('runs once: the same request again gets the same status and body', async ({ deps }) => {
    const { send, runs } = await serve(deps)
    const key = randomUUID()
    const [first, again] = [await send(key, { ask: 'work' }), await send(key, { ask: 'work' })]
    expect([first.statusCode, first.json()]).toEqual([202, { run: 1 }])
    expect([again.statusCode, again.body]).toEqual([202, first.body])
    expect(again.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(runs).toHaveLength(1)
    const others = [await send(randomUUID(), { ask: 'work' }), await send(undefined, { ask: 'work' })]
    expect(others.map((other) => other.json())).toEqual([{ run: 2 }, { run: 3 }])
  })

  test('is 422 when the key came with another body, path or query', async ({ deps }) => {
    const { send, runs } = await serve(deps)
    const key = randomUUID()
    await send(key, { ask: 'work' })
    for (const other of [
      await send(key, { ask: 'work', more: 1 }),
      await send(key, { ask: 'work' }, { url: '/things/2' }),
      await send(key, { ask: 'work' }, { url: '/things/1?loud=1' }),
    ])
      expect([other.statusCode, other.json().code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(runs).toHaveLength(1)
  })

  test('runs once for 50 parallel requests: the others wait for the very answer', async ({ deps }) => {
    const { send, runs } = await serve(deps)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(key, { ask: 'slow' })))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(new Set(['202 {"run":1}']))
    expect(runs).toHaveLength(1)
  })

  test('is 409 with Retry-After when the first is still running after 5 s', async ({ deps }) => {
    const { send, release, runs } = await serve(deps)
    const key = randomUUID()
    const first = send(key, { ask: 'hang' })
    await expect.poll(() => runs).toHaveLength(1)
    const second = await send(key, { ask: 'hang' })
    expect([second.statusCode, second.json().code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    expect(second.headers['retry-after']).toBe('1')
    release()
    expect((await first).statusCode).toBe(202)
    expect((await send(key, { ask: 'hang' })).statusCode).toBe(202)
    expect(runs).toHaveLength(1)
  })

  test('keeps its key apart for each caller and each route', async ({ deps }) => {
    const { send } = await serve(deps)
    const key = randomUUID()
    expect((await send(key, { ask: 'work' })).json()).toEqual({ run: 1 })
    expect((await send(key, { ask: 'work' }, { remoteAddress: '192.0.2.9' })).json()).toEqual({ run: 2 })
    expect((await send(key, { ask: 'work' }, { url: '/others/1' })).json()).toEqual({ run: 3 })
    expect((await send(key, { ask: 'work' })).json()).toEqual({ run: 1 })
  })

  test('keeps its answer for 24 hours, errors that stay true included', async ({ deps }) => {
    const { send, world } = await serve(deps)
    const keys = [randomUUID(), randomUUID()] as const
    const [work, conflict] = [await send(keys[0], { ask: 'work' }), await send(keys[1], { ask: 'conflict' })]
    expect([work.statusCode, conflict.statusCode]).toEqual([202, 409])
    world.now += 24 * HOUR_MS - 1
    expect((await send(keys[0], { ask: 'work' })).body).toBe(work.body)
    expect((await send(keys[1], { ask: 'conflict' })).body).toBe(conflict.body)
    world.now += 1
    expect((await send(keys[0], { ask: 'work' })).json()).toEqual({ run: 3 })
  })

  test('runs again after an answer that a retry may change: an error of the service, or a limit', async ({ deps }) => {
    const { send, runs } = await serve(deps)
    for (const ask of ['fault', 'limit', 'refuse']) {
      const key = randomUUID()
      const first = await send(key, { ask })
      expect((await send(key, { ask })).statusCode).toBe(first.statusCode)
    }
    expect(runs).toHaveLength(6)
  })

  test('of a process that died is taken over when its claim runs out', async ({ deps }) => {
    const { send, runs, release, world } = await serve(deps)
    const key = randomUUID()
    const dead = send(key, { ask: 'hang' })
    await expect.poll(() => runs).toHaveLength(1)
    const next = await serve(deps, { ...world, now: world.now + 60_000 })
    expect((await next.send(randomUUID(), { ask: 'work' })).json()).toEqual({ run: 1 })
    expect((await next.send(key, { ask: 'other' })).statusCode).toBe(422)
    next.release()
    expect((await next.send(key, { ask: 'hang' })).json()).toEqual({ run: 2 })
    release()
    expect((await dead).json()).toEqual({ run: 1 })
    expect((await next.send(key, { ask: 'hang' })).json()).toEqual({ run: 2 })
  })

  test.for(['', 'k'.repeat(256)])('is 422 when the key has not 1 to 255 characters', async (key, { deps }) => {
    const { send, runs } = await serve(deps)
    const answer = await send(key, { ask: 'work' })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { 'Idempotency-Key': ['must have 1 to 255 characters'] },
    ])
    expect(runs).toHaveLength(0)
    expect((await send('k'.repeat(255), { ask: 'work' })).statusCode).toBe(202)
  })
})

describe('An answer that commits with its effect', () => {
  test('is given again when the process dies after the commit', async ({ deps }) => {
    const { send, runs, effects } = await serve(deps)
    const key = randomUUID()
    expect((await send(key, { ask: 'die after commit', name: key })).statusCode).toBe(500)
    const again = await send(key, { ask: 'die after commit', name: key })
    expect([again.statusCode, again.json()]).toEqual([202, { run: 1 }])
    expect(runs).toHaveLength(1)
    expect(await effects(key)).toBe(1)
  })

  test('is not stored when the effect is rolled back', async ({ deps }) => {
    const { send, runs, effects } = await serve(deps)
    const key = randomUUID()
    expect((await send(key, { ask: 'die before commit', name: key })).statusCode).toBe(500)
    expect(await effects(key)).toBe(0)
    expect((await send(key, { ask: 'die before commit', name: key })).statusCode).toBe(500)
    expect(runs).toHaveLength(2)
  })

  test('is refused to a request that lost its claim, so that the effect happens once', async ({ deps }) => {
    const { send, runs, effects, world, release } = await serve(deps)
    const key = randomUUID()
    const slow = send(key, { ask: 'hang, then commit', name: key })
    await expect.poll(() => runs).toHaveLength(1)
    const next = await serve(deps, { ...world, now: world.now + 60_000 })
    next.release()
    expect((await next.send(key, { ask: 'hang, then commit', name: key })).statusCode).toBe(202)
    release()
    expect([(await slow).statusCode, (await slow).json().code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    expect(await effects(key)).toBe(1)
    expect((await send(key, { ask: 'hang, then commit', name: key })).statusCode).toBe(202)
  })
})

describe('A stored answer', () => {
  test('is encrypted, and its input cannot be derived from the stored row', async ({ app, deps }) => {
    const key = randomUUID()
    const payload = { email: `${key}@example.com`, password: 'correct horse', name: 'Ada' }
    const register = () =>
      app.inject({ method: 'POST', url: '/api/v1/register', payload, headers: { 'idempotency-key': key } })
    const [first, again] = [await register(), await register()]
    expect(first.statusCode).toBe(201)
    expect([again.body, again.headers['cache-control']]).toEqual([first.body, 'no-store'])
    const row = await deps.db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    expect(row.status_code).toBe(201)
    expect(row.answer?.toString('latin1')).not.toContain(first.json().data.token.slice(0, 20))
    expect(row.answer?.toString('latin1')).not.toContain(payload.email)
  })

  test('can be read after a rotation, with the previous secret', async ({ deps }) => {
    const { send, world } = await serve(deps)
    const key = randomUUID()
    const first = await send(key, { ask: 'work' })
    const secrets = { JWT_SECRET: 'the secret that came after the first', JWT_PREVIOUS_SECRET: deps.config.JWT_SECRET }
    const rotated = await serve({ ...deps, config: { ...deps.config, ...secrets } }, world)
    expect((await rotated.send(key, { ask: 'work' })).body).toBe(first.body)
    expect((await rotated.send(key, { ask: 'other' })).statusCode).toBe(422)
    expect(rotated.runs).toHaveLength(0)
  })

  test('does not exist for a request that was refused before it ran', async ({ app, deps }) => {
    const key = randomUUID()
    const headers = { 'idempotency-key': key }
    const invalid = await app.inject({ method: 'POST', url: '/api/v1/register', payload: { name: 'Ada' }, headers })
    expect(invalid.statusCode).toBe(422)
    expect((await app.inject({ method: 'POST', url: '/api/v1/nowhere', headers })).statusCode).toBe(404)
    const rows = deps.db.selectFrom('idempotency_keys').select('key').where('key', '=', key)
    expect(await rows.execute()).toEqual([])
  })
})

type Sent = { url?: string; remoteAddress?: string }

type World = { now: number; address: string }

/** A process with one kind of work under two addresses; `ask` says how it goes. Its time and its caller are held. */
async function serve(deps: Deps, world: World = { now: deps.clock.now(), address: randomUUID() }) {
  const runs: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const app = Fastify()
  installErrorHandler(app, [], async () => undefined)
  app.decorateRequest('principal', null)
  installIdempotency(app, { ...deps, clock: { now: () => world.now } })
  for (const url of ['/things/:id', '/others/:id']) registerWork(app, deps, url, runs, released)
  await app.ready()
  onTestFinished(() => release())

  const send = (
    key: string | undefined,
    payload: object,
    { url = '/things/1', remoteAddress = world.address }: Sent = {},
  ) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      remoteAddress,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  const effects = async (name: string) => {
    const rows = await deps.db.selectFrom('users').select('user_id').where('name', '=', name).execute()
    return rows.length
  }
  return { send, runs, release, world, effects }
}

function registerWork(app: FastifyInstance, deps: Deps, url: string, runs: string[], released: Promise<void>): void {
  app.post<{ Body: { ask: string; name?: string } }>(url, { config: { access: 'public' } }, async (request, reply) => {
    const { ask, name = '' } = request.body
    const answer = { run: runs.push(ask) }
    if (ask === 'slow') await wait(200)
    if (ask.startsWith('hang')) await released
    if (ask === 'fault') throw new Error('fault')
    if (ask === 'limit') throw errors.rateLimited(1)
    if (ask === 'refuse') throw errors.validation({ ask: ['is not possible'] })
    if (ask === 'conflict') throw errors.conflict(`run ${answer.run}`)
    if (ask.endsWith('commit'))
      await deps.db.transaction().execute(async (tx) => {
        const id = randomUUID()
        await tx.insertInto('users').values({ username: id, email: id, name, password_hash: '' }).execute()
        await request.idempotency?.completeIn(tx, 202, answer)
        if (ask === 'die before commit') throw new Error('died')
      })
    if (ask === 'die after commit') throw new Error('died')
    return reply.code(202).send(answer)
  })
}
