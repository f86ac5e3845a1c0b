import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { decode, encode, sign } from '../../../test/support/token-parts.ts'
import type { Deps } from '../../deps.ts'
import { createSessions } from './sessions.ts'

const DAY_MS = 24 * 3_600_000
const REFUSALS: Record<number, string> = { [-7]: 'ACCOUNT_SUSPENDED', [-9]: 'UNAUTHENTICATED' }

type Parts = { header?: object; payload?: object; secret?: string; digest?: string }

describe('An access token', () => {
  test('names an open session, and a made-up token is refused', async ({ deps }) => {
    const { userId, header, payload, authenticate } = await opened(deps)
    const forge = ({ digest = 'sha256', secret = deps.config.JWT_SECRET, ...parts }: Parts = {}) =>
      sign({ ...header, ...parts.header }, { ...payload, ...parts.payload }, secret, digest)
    expect(await authenticate(forge())).toMatchObject({ userId })

    const now = Math.floor(deps.clock.now() / 1000)
    const unsigned = (alg?: string) => `${encode({ ...header, alg })}.${encode(payload)}.`
    const forgeries: Record<string, string | undefined> = {
      'no token': undefined,
      'no token at all': '',
      'not a token': 'a.b.c',
      'no signature, alg none': unsigned('none'),
      'no signature, alg nOnE': unsigned('nOnE'),
      'no signature, empty alg': unsigned(''),
      'no signature, no alg': unsigned(),
      'no signature': unsigned('HS256'),
      'signed, alg none': forge({ header: { alg: 'none' } }),
      'signed as RS256': forge({ header: { alg: 'RS256' } }),
      'signed as HS384': forge({ header: { alg: 'HS384' }, digest: 'sha384' }),
      'signed as HS512': forge({ header: { alg: 'HS512' }, digest: 'sha512' }),
      'another secret': forge({ secret: 'another secret of thirty-two bytes!' }),
      'a kid that is a path': forge({ header: { kid: '../../dev/null' }, secret: '' }),
      'a kid that is SQL': forge({ header: { kid: "' or 1=1--" } }),
      'a kid of the prototype': forge({ header: { kid: '__proto__' } }),
      'a huge kid': forge({ header: { kid: 'k'.repeat(10_000) } }),
      'no kid': forge({ header: { kid: undefined } }),
      'a critical header': forge({ header: { crit: ['b64'], b64: false } }),
      'another typ': forge({ header: { typ: 'at+jwt' } }),
      'another issuer': forge({ payload: { iss: 'somebody' } }),
      'another audience': forge({ payload: { aud: 'another-api' } }),
      'no audience': forge({ payload: { aud: undefined } }),
      'no expiry': forge({ payload: { exp: undefined } }),
      'an expiry in text': forge({ payload: { exp: String(now + 60) } }),
      'an endless expiry': forge({ payload: { exp: 1e18 } }),
      'not before tomorrow': forge({ payload: { nbf: now + 86_400 } }),
      'another user': forge({ payload: { sub: String(userId + 1) } }),
      'no user': forge({ payload: { sub: undefined } }),
      'a user that is no id': forge({ payload: { sub: '1e3' } }),
      'a huge user': forge({ payload: { sub: '9999999999999999' } }),
      'a session that never was': forge({ payload: { jti: randomUUID() } }),
      'a session that is no id': forge({ payload: { jti: "x' or '1'='1" } }),
    }
    for (const [name, token] of Object.entries(forgeries)) {
      const refused = await authenticate(token).catch((error: unknown) => error)
      expect([name, refused]).toEqual([name, expect.objectContaining({ code: 'UNAUTHENTICATED', status: 401 })])
    }
    await expect(authenticate(forge({ payload: { exp: now - 1 } }))).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  })

  test('never makes the service look a key up elsewhere', async ({ deps }) => {
    const { header, payload, authenticate } = await opened(deps)
    const elsewhere = { jku: 'http://127.0.0.1:9/', x5u: 'http://127.0.0.1:9/', jwk: { kty: 'oct', k: 'AAAA' } }
    const foreign = sign({ ...header, ...elsewhere }, payload, Buffer.alloc(3), 'sha256')
    await expect(authenticate(foreign)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('among many at once is answered for itself', async ({ deps }) => {
    const users = await Promise.all(Array.from({ length: 30 }, () => insertUser(deps)))
    const opener = createSessions(deps)
    const tokens = await Promise.all(users.map(async (userId) => (await opener.open({ userId })).token))
    await deps.db.updateTable('users').set({ status: 'banned' }).where('user_id', '=', users[7]!).execute()
    await deps.db.deleteFrom('sessions').where('user_id', '=', users[9]!).execute()
    const sessions = createSessions(deps)
    const answers = await Promise.allSettled(tokens.map((token) => sessions.authenticate(token)))
    const seen = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.userId : (answer.reason as { code: string }).code,
    )
    expect(seen).toEqual(
      users
        .with(7, -7)
        .with(9, -9)
        .map((id) => REFUSALS[id] ?? id),
    )
  })

  test('cannot outlive its session by a later expiry', async ({ deps }) => {
    const { header, payload, authenticate, opened: session } = await opened(deps)
    const exp = session.expiresAt.getTime() / 1000 + 86_400
    const longer = sign(header, { ...payload, exp }, deps.config.JWT_SECRET, 'sha256')
    const late = { ...deps, clock: { now: () => session.expiresAt.getTime() } }
    expect(await authenticate(longer)).toBeDefined()
    await expect(createSessions(late).authenticate(longer)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  })

  test('lives 12 hours in the panel; elsewhere its administrative rights do, and the session goes on', async ({
    deps,
  }) => {
    const userId = await insertUser(deps)
    await deps.db.updateTable('users').set({ role: 'analyst' }).where('user_id', '=', userId).execute()
    const time = { now: deps.clock.now() }
    const sessions = createSessions({ ...deps, clock: { now: () => time.now } })
    const [app, panel] = [await sessions.open({ userId }), await sessions.open({ userId, isForPanel: true })]
    expect([app.expiresInSeconds, panel.expiresInSeconds]).toEqual([90 * 86_400, 12 * 3_600])
    expect(await sessions.authenticate(app.token)).toMatchObject({ role: 'analyst', accountRole: 'analyst' })
    time.now += DAY_MS / 2
    await expect(sessions.authenticate(panel.token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED', status: 401 })
    expect(await sessions.authenticate(app.token)).toMatchObject({ role: 'user', accountRole: 'analyst' })
  })

  test('lives 90 days from its last use, noted at most once an hour, and 400 days at most', async ({ deps }) => {
    const userId = await insertUser(deps)
    const time = { now: deps.clock.now() }
    const sessions = createSessions({ ...deps, clock: { now: () => time.now } })
    const [used, unused] = [await sessions.open({ userId }), await sessions.open({ userId })]
    const openedAt = time.now
    const daysLeft = async () => {
      const { expiresAt } = await sessions.authenticate(used.token)
      return Math.round((expiresAt.getTime() - openedAt) / DAY_MS)
    }
    const use = async (day: number) => {
      time.now = openedAt + day * DAY_MS
      await sessions.authenticate(used.token)
      await sessions.flush()
      time.now += 2_000
      return daysLeft()
    }
    expect([await use(0.03), await use(1), await use(1.03), await use(89), await use(178)]).toEqual([
      90, 91, 91, 179, 268,
    ])
    await expect(sessions.authenticate(unused.token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
    // What was noted of a session that has ended does not bring it back.
    await sessions.flush()
    await expect(sessions.authenticate(unused.token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
    expect([await use(267), await use(356), await use(399.9)]).toEqual([357, 400, 400])
    time.now = openedAt + 400 * DAY_MS
    await expect(sessions.authenticate(used.token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  })

  test('still counts while its secret is a previous one, and not after', async ({ deps }) => {
    const { opened: session } = await opened(deps)
    const secret = 'the secret that came after the first'
    const rotated = { ...deps.config, JWT_SECRET: secret, JWT_PREVIOUS_SECRET: deps.config.JWT_SECRET }
    const after = createSessions({ ...deps, config: rotated })
    expect(await after.authenticate(session.token)).toBeDefined()
    const twice = {
      JWT_SECRET: 'the secret that came after the second',
      JWT_PREVIOUS_SECRET: `${secret}|${deps.config.JWT_SECRET}`,
    }
    const later = createSessions({ ...deps, config: { ...rotated, ...twice } })
    expect(await later.authenticate(session.token)).toBeDefined()
    const alone = createSessions({ ...deps, config: { ...rotated, JWT_PREVIOUS_SECRET: '' } })
    await expect(alone.authenticate(session.token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})

describe('The end of a session', () => {
  test('counts at once in its process and within 1 s in every other', async ({ deps }) => {
    const time = { now: deps.clock.now() }
    const processes = [0, 1].map(() => createSessions({ ...deps, clock: { now: () => time.now } }))
    const [here, there] = [processes[0]!, processes[1]!]
    const userId = await insertUser(deps)
    const { token } = await here.open({ userId })
    const { sessionId } = await here.authenticate(token)
    await there.authenticate(token)

    for (let n = 0; n < 2; n++) await commitWork(deps, here.end, { userId, sessionId, reason: 'logout' })
    await expect(here.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    time.now += 1_000
    await expect(there.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('counts for every session of a user whose password, role or status changed', async ({ deps }) => {
    const sessions = createSessions(deps)
    const [userId, other] = [await insertUser(deps), await insertUser(deps)]
    const own = [await sessions.open({ userId }), await sessions.open({ userId })]
    const others = await sessions.open({ userId: other })
    for (const { token } of [...own, others]) await sessions.authenticate(token)
    await commitWork(deps, sessions.end, { userId, reason: 'password' })
    for (const { token } of own)
      await expect(sessions.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await sessions.authenticate(others.token)).toMatchObject({ userId: other })
  })

  test('is not undone by a request that was on its way', async ({ deps }) => {
    const sessions = createSessions(deps)
    for (let round = 0; round < 20; round++) {
      const userId = await insertUser(deps)
      const { token } = await sessions.open({ userId })
      const { sessionId } = await createSessions(deps).authenticate(token)
      const uses = Promise.allSettled(Array.from({ length: 5 }, () => sessions.authenticate(token)))
      await commitWork(deps, sessions.end, { userId, sessionId, reason: 'logout' })
      await uses
      await expect(sessions.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    }
  })

  test.for([
    ['suspended', { status: 'suspended' }, 'ACCOUNT_SUSPENDED'],
    ['banned', { status: 'banned' }, 'ACCOUNT_SUSPENDED'],
    ['deleted', { deleted_at: new Date(0) }, 'UNAUTHENTICATED'],
  ] as const)('comes within 1 s for an account that is %s', async ([, change, code], { deps }) => {
    const { userId, opened: session, authenticate, time } = await opened(deps)
    await authenticate(session.token)
    await deps.db.updateTable('users').set(change).where('user_id', '=', userId).execute()
    time.now += 1_000
    await expect(authenticate(session.token)).rejects.toMatchObject({ code, status: 401 })
  })

  test('is not caused by inactivity, and a new role takes effect within 1 s', async ({ deps }) => {
    const { userId, opened: session, authenticate, time } = await opened(deps)
    expect(await authenticate(session.token)).toMatchObject({ role: 'user' })
    const change = { status: 'inactive', role: 'admin' } as const
    await deps.db.updateTable('users').set(change).where('user_id', '=', userId).execute()
    time.now += 1_000
    expect(await authenticate(session.token)).toMatchObject(change)
  })
})

async function opened(deps: Deps) {
  const time = { now: deps.clock.now() }
  const sessions = createSessions({ ...deps, clock: { now: () => time.now } })
  const userId = await insertUser(deps)
  const session = await sessions.open({ userId })
  const [header = '', payload = ''] = session.token.split('.')
  return {
    userId,
    time,
    opened: session,
    header: decode(header),
    payload: decode(payload),
    authenticate: (token: string | undefined) => sessions.authenticate(token),
  }
}

async function insertUser({ db }: Deps): Promise<number> {
  const name = randomUUID()
  const user = { username: name, email: `${name}@example.com`, name, password_hash: '' }
  const row = await db.insertInto('users').values(user).returning('user_id').executeTakeFirstOrThrow()
  return row.user_id
}
