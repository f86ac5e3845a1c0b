import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectInvalid } from '../../../test/support/faults.ts'
import { startFiveProviders } from '../../../test/support/five-providers.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { deadlocks } from '../../../test/support/statistics.ts'

let five: Awaited<ReturnType<typeof startFiveProviders>>

beforeAll(async () => {
  five = await startFiveProviders()
})

afterAll(() => five.service.close())

type Tokens = { native: string; expo: string }
/** The tokens that a registration names. */
type Named = 'native' | 'expo' | 'both'

function drawTokens(): Tokens {
  return { native: `apns-token:${randomUUID()}`, expo: `ExponentPushToken[${randomUUID()}]` }
}

function register(user: GivenUser, payload: object) {
  return five.service.app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload })
}

function registerAs(user: GivenUser, named: Named, { native, expo }: Tokens, device_id = 'phone') {
  if (named === 'expo') return register(user, { token: expo, device_id, platform: 'ios' })
  const phone = { token: native, environment: 'production', device_id }
  return register(user, named === 'native' ? phone : { ...phone, fallback_token: expo })
}

/** Live rows that are reached by one of these tokens. */
async function readLive(tokens: Tokens[]) {
  const all = tokens.flatMap(({ native, expo }) => [native, expo])
  const { rows } = await sql<{ id: number; user_id: number; token: string; fallback_token: string | null }>`
    select id, user_id, token, fallback_token from mobile_devices
    where removed_at is null and (token = any(${all}) or fallback_token = any(${all})) order by id`.execute(
    five.service.deps.db,
  )
  return rows
}

async function removedReasons({ userId }: GivenUser) {
  const rows = five.service.deps.db.selectFrom('mobile_devices').select('removed_reason').where('user_id', '=', userId)
  return (await rows.orderBy('id').execute()).map(({ removed_reason }) => removed_reason)
}

describe('A phone that names two addresses', () => {
  test.for<[string, [who: 'one' | 'other' | 'third', named: Named][]]>([
    [
      'Expo’s first, then both',
      [
        ['one', 'expo'],
        ['one', 'both'],
        ['one', 'native'],
        ['other', 'expo'],
      ],
    ],
    [
      'both, then Expo’s alone',
      [
        ['one', 'both'],
        ['one', 'expo'],
        ['one', 'native'],
        ['other', 'native'],
      ],
    ],
    [
      'its own first',
      [
        ['one', 'native'],
        ['one', 'both'],
        ['other', 'expo'],
        ['one', 'both'],
      ],
    ],
    [
      'of another account before',
      [
        ['other', 'expo'],
        ['one', 'both'],
        ['other', 'both'],
        ['one', 'expo'],
      ],
    ],
    [
      'its own, then Expo’s',
      [
        ['one', 'native'],
        ['one', 'expo'],
        ['one', 'both'],
      ],
    ],
    [
      'of three accounts, of which each but the first names one',
      [
        ['one', 'both'],
        ['other', 'native'],
        ['third', 'expo'],
        ['other', 'native'],
        ['one', 'expo'],
        ['third', 'native'],
        ['one', 'both'],
      ],
    ],
    [
      'of three accounts, Expo’s before its own',
      [
        ['one', 'both'],
        ['other', 'expo'],
        ['third', 'native'],
      ],
    ],
  ])('is one row, whatever order they come in: %s', async ([, steps]) => {
    const { user } = five.service.given
    const people = { one: await user(), other: await user(), third: await user() }
    const tokens = drawTokens()
    for (const [who, named] of steps) {
      expect((await registerAs(people[who], named, tokens)).statusCode).toBe(200)
      expect(await readLive([tokens])).toMatchObject([{ user_id: people[who].userId }])
    }
  })

  test('keeps its row and both addresses, when it names one of them again alone', async () => {
    const user = await five.service.given.user()
    const tokens = drawTokens()
    await registerAs(user, 'expo', tokens)
    const [{ id } = { id: 0 }] = await readLive([tokens])
    for (const named of ['both', 'native', 'both', 'expo'] as const) {
      const answer = await registerAs(user, named, tokens)
      expect(answer.json()).toMatchObject({ data: { device_id: 'phone', platform: 'ios' } })
      expect(await readLive([tokens])).toEqual([
        { id, user_id: user.userId, token: tokens.native, fallback_token: tokens.expo },
      ])
    }
  })

  test('gives up a former address, and what another phone has of them', async () => {
    const [user, other] = [await five.service.given.user(), await five.service.given.user()]
    const [before, after] = [drawTokens(), drawTokens()]
    await registerAs(user, 'both', before)
    await registerAs(other, 'both', after)
    await registerAs(user, 'both', { native: before.native, expo: after.expo })
    expect(await readLive([before, after])).toMatchObject([{ token: before.native, fallback_token: after.expo }])
    expect(await removedReasons(other)).toEqual(['moved'])
    await registerAs(user, 'both', after)
    expect(await readLive([before, after])).toMatchObject([{ token: after.native, fallback_token: after.expo }])
    expect(await removedReasons(user)).toEqual(['replaced', null])
  })

  test('never gets the other address from an account that names a token of somebody else', async () => {
    const [owner, stranger] = [await five.service.given.user(), await five.service.given.user()]
    const [own, foreign] = [drawTokens(), drawTokens()]
    await registerAs(owner, 'expo', own)
    await registerAs(stranger, 'both', { native: foreign.native, expo: own.expo })
    await registerAs(owner, 'expo', own)
    expect(await readLive([own, foreign])).toMatchObject([
      { user_id: owner.userId, token: own.expo, fallback_token: null },
    ])
  })

  test('is one row of one person also when many register at once, and nobody waits in a circle', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => five.service.given.user()))
    const phones = Array.from({ length: 8 }, drawTokens)
    const before = await deadlocks(five.service.deps)
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(
        users.flatMap((user, place) =>
          phones.map((tokens, n) => {
            const named = (['expo', 'both', 'native'] as const)[(n + place + round) % 3] ?? 'both'
            return registerAs(user, named, tokens, `phone ${n}`)
          }),
        ),
      )
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    }
    expect(await deadlocks(five.service.deps)).toBe(before)
    const held = (await readLive(phones)).flatMap(({ token, fallback_token }) => [token, fallback_token ?? token])
    const twice = held.filter((token, n) => held.indexOf(token) !== n && held[n - 1] !== token)
    expect(twice).toEqual([])
    // The phone's owner is who named both last.
    for (const user of users)
      for (const [n, tokens] of phones.entries()) await registerAs(user, 'both', tokens, `phone ${n}`)
    expect(await readLive(phones)).toHaveLength(phones.length)
  })

  test('is one row also when two accounts name an address each at one moment', async () => {
    const draw = () => Promise.all(Array.from({ length: 12 }, () => five.service.given.user()))
    const [former, one, other] = [await draw(), await draw(), await draw()]
    const phones = former.map(drawTokens)
    for (const [n, user] of former.entries()) await registerAs(user, 'both', phones[n]!)
    const before = await deadlocks(five.service.deps)
    const answers = await Promise.all(
      phones.flatMap((tokens, n) => [registerAs(one[n]!, 'native', tokens), registerAs(other[n]!, 'expo', tokens)]),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    for (const tokens of phones) expect(await readLive([tokens])).toHaveLength(1)
    expect(await deadlocks(five.service.deps)).toBe(before)
  })

  test.for<[object, string]>([
    [{ fallback_token: 'apns-token:x' }, 'fallback_token'],
    [{ fallback_token: 'no token' }, 'fallback_token'],
    [{ fallback_token: '' }, 'fallback_token'],
    [{ fallback_token: `ExponentPushToken[${'é'.repeat(1_020)}]` }, 'fallback_token'],
    [{ token: 'ExponentPushToken[b]', environment: undefined }, 'token'],
    [{ token: 'web-token:x', environment: undefined }, 'token'],
  ])('is refused with %o for its %s, and nothing is stored', async ([wrong, field]) => {
    const user = await five.service.given.user()
    const phone = { token: 'apns-token:a', environment: 'production', fallback_token: 'ExponentPushToken[a]' }
    expectInvalid(await register(user, { ...phone, ...wrong }), field)
    expect(await removedReasons(user)).toEqual([])
  })
})
