import { generateKeyPairSync } from 'node:crypto'
import { createDecoder, createVerifier } from 'fast-jwt'
import { describe, expect, test } from 'vitest'
import type { ShareToken } from '../provider.ts'
import { createProviderJwt } from './apns-jwt.ts'

const MINUTE_MS = 60_000
const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

describe('the provider token', () => {
  test('is signed by the key, and names it, the team and the second', async () => {
    const token = await processOf(shared()).current()
    const decoded = createDecoder({ complete: true })(token) as { header: object; payload: object }
    expect(decoded.header).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'KEYID12345' })
    expect(decoded.payload).toEqual({ iss: 'TEAMID1234', iat: 1_000_000 })
    expect(() => createVerifier({ key: publicKey, algorithms: ['ES256'], ignoreExpiration: true })(token)).not.toThrow()
  })

  test('is signed once for all processes, and twice an hour at most', async () => {
    const world = shared()
    const processes = [processOf(world), processOf(world), processOf(world)]
    const used: number[] = []
    for (let minute = 0; minute < 600; minute++) {
      const tokens = await Promise.all(processes.map((one) => one.current()))
      expect(new Set(tokens).size).toBe(1)
      if (minute % 7 === 0) await Promise.all(processes.map((one) => one.replace(tokens[0]!)))
      used.push(world.signed)
      world.now += MINUTE_MS
    }
    for (let minute = 60; minute < used.length; minute++)
      expect(used[minute]! - used[minute - 60]!).toBeLessThanOrEqual(2)
    expect(world.signed).toBeGreaterThan(10)
  })

  test('that Apple calls too old is replaced, but not one that is young', async () => {
    const world = shared()
    const [one, other] = [processOf(world), processOf(world)]
    const first = await one.current()
    expect(await one.replace(first)).toBeUndefined()
    world.now += 31 * MINUTE_MS
    const second = await one.replace(first)
    expect(second).not.toBe(first)
    expect(await other.replace(first)).toBe(second)
    expect(await one.replace(first)).toBe(second)
    expect(world.signed).toBe(2)
  })

  test('is not the one of another team or key id, which a correction of the settings leaves behind', async () => {
    const world = shared()
    const wrong = await processOf(world, { team: 'OTHERTEAM1' }).current()
    expect(await processOf(world).current()).not.toBe(wrong)
    expect(world.signed).toBe(2)
  })

  test('outlives a database that is away', async () => {
    const world = shared()
    const one = processOf(world)
    const token = await one.current()
    world.isAway = true
    world.now += 54 * MINUTE_MS
    expect(await one.current()).toBe(token)
    world.now += 2 * MINUTE_MS
    await expect(one.current()).rejects.toThrow('away')
    world.isAway = false
    expect(await one.current()).not.toBe(token)
  })

  test('that a clock ahead of the time signed is not kept', async () => {
    const world = shared()
    world.now += 61 * MINUTE_MS
    const one = processOf(world)
    const token = await one.current()
    world.now -= 61 * MINUTE_MS
    expect(await one.current()).not.toBe(token)
  })
})

type World = { now: number; signed: number; isAway: boolean; share: ShareToken }

/** The rows that all processes read, one after the other. */
function shared(): World {
  const rows = new Map<string, { token: string; signedAt: Date }>()
  let last: Promise<unknown> = Promise.resolve()
  const read: ShareToken = async (sign, freshForMs, about = '') => {
    const row = rows.get(about)
    const age = world.now - (row?.signedAt.getTime() ?? 0)
    if (row !== undefined && age >= 0 && age < freshForMs) return row
    const signedAt = new Date(world.now)
    const signed = { token: await sign(signedAt), signedAt }
    rows.set(about, signed)
    world.signed++
    return signed
  }
  const share: ShareToken = (...asked) => {
    if (world.isAway) return Promise.reject(new Error('The database is away.'))
    const next = last.then(() => read(...asked))
    last = next
    return next
  }
  const world: World = { now: 1_000_000_000, signed: 0, isAway: false, share }
  return world
}

function processOf(world: World, changes: { team?: string } = {}) {
  const key = { team: 'TEAMID1234', keyId: 'KEYID12345', key: privateKey, ...changes }
  return createProviderJwt(key, { share: world.share, clock: { now: () => world.now } })
}
