// Slow: every route, called by everybody or in many ways.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { can } from '../src/platform/rights/permissions.ts'
import { commitWork } from './support/commit.ts'
import { createSessions } from '../src/identity/sessions/sessions.ts'
import type { Role } from '../src/platform/tables/tables.ts'
import type { Access } from '../src/platform/http/routes.ts'
import { test } from './support/app.ts'
import { allowedHeaders, make } from './support/callers.ts'
import { createCalls, givenWorld } from './support/calls.ts'
import type { Service } from './support/service.ts'

type Caller = { headers: Record<string, string>; role: Role } | { headers: Record<string, string>; refusal: string }

// An id without a record, because access depends only on the role.
const NOBODY = '999999999'
const ROLES: Role[] = ['user', 'analyst', 'moderator', 'admin', 'super_admin']

describe('every route', () => {
  test('has a call that proves its access, and each call has a route', async ({ service }) => {
    const served = service.routes.map(({ method, url }) => `${method} ${url}`)
    expect(Object.keys(createCalls(await givenWorld(service))).toSorted()).toEqual(served.toSorted())
  })

  test('answers an allowed caller, so that a refusal is one of the caller and not of the call', async ({ service }) => {
    const world = await givenWorld(service)
    const calls = createCalls(world)
    const answers: Record<string, number> = {}
    for (const [name, call] of Object.entries(calls))
      answers[name] = (await make(service, call, await allowedHeaders(service, world, name))).statusCode
    expect(answers).toEqual(Object.fromEntries(Object.entries(calls).map(([name, { status }]) => [name, status])))
  })

  test('refuses everyone else as it declares, and a refused call changes nothing', async ({ service }) => {
    const world = await givenWorld(service)
    const calls = createCalls(world)
    const callers = await createCallers(service)
    const before = await readDatabase(service)
    const wrong: string[] = []
    let refused = 0
    for (const { method, url, access } of service.routes) {
      for (const [who, caller] of Object.entries(callers)) {
        const expected = toRefusal(access, caller)
        if (expected === undefined) continue
        const answer = await make(service, calls[`${method} ${url}`]!, caller.headers)
        const [, code] = /"success":false,.*"code":"(\w+)"/.exec(answer.body) ?? []
        if (`${answer.statusCode} ${code}` !== expected)
          wrong.push(`${method} ${url} gives ${who} ${answer.statusCode} ${code} instead of ${expected}`)
        const asks = answer.headers['www-authenticate']
        if ((answer.statusCode === 401) !== (asks === 'Bearer')) wrong.push(`${method} ${url} asks for ${String(asks)}`)
        refused++
      }
    }
    expect(wrong).toEqual([])
    expect(refused).toBeGreaterThan(200)
    expect(await readDatabase(service)).toEqual(before)
    expect(await deniedCalls(service)).toBeGreaterThan(40)
  })

  test('lets every role in that holds the right', async ({ service }) => {
    const wrong: string[] = []
    for (const { method, url, access } of service.routes) {
      for (const role of ROLES) {
        if (access === 'public' || (access !== 'user' && !can(role, access))) continue
        const { headers } = await service.given.user({ role })
        const answer = await service.app.inject({ method: method as 'GET', url: url.replace(/:\w+/, NOBODY), headers })
        const isFault = answer.statusCode >= 500 && !answer.body.includes('sends no mail')
        if (answer.statusCode === 401 || answer.statusCode === 403 || isFault)
          wrong.push(`${method} ${url} gives a ${role} ${answer.statusCode}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('below /api/admin/ but for logging in and out needs a right (spec: authentication 6)', ({ service }) => {
    const open = service.routes.filter(
      ({ url, access }) => url.startsWith('/api/admin/') && (access === 'public' || access === 'user'),
    )
    expect(open.map(({ url }) => url)).toEqual([
      '/api/admin/v1/login',
      '/api/admin/v1/logout',
      '/api/admin/v1/check-token',
      '/api/admin/v1/session',
      '/api/admin/v1/session/second-factor',
      '/api/admin/v1/session/passkey/options',
      '/api/admin/v1/session/passkey',
      '/api/admin/v1/session',
      // Links that the service signed for someone with the right open these.
      '/api/admin/notifications/:notification_id/progress-stream',
      '/api/admin/v1/users-export/:id/file',
    ])
  })

  test('is public only where the specification needs no token, or the answer reveals nothing', ({ service }) => {
    const open = service.routes.filter(({ access, url }) => access === 'public' && !url.startsWith('/docs'))
    expect(open.map(({ url }) => url).toSorted()).toEqual(
      [
        '/api/health',
        '/api/ready',
        '/api/v1/register',
        '/api/v1/login',
        '/api/admin/v1/login',
        '/api/v1/login/second-factor',
        '/api/admin/v1/session',
        '/api/admin/v1/session/second-factor',
        '/api/admin/v1/session/passkey/options',
        '/api/admin/v1/session/passkey',
        '/api/v1/password/forgot',
        '/api/v1/password/reset',
        '/api/v1/email/confirm',
        '/api/v1/webhooks/subscriptions/:provider',
        '/api/admin/notifications/:notification_id/progress-stream',
        '/api/admin/v1/users-export/:id/file',
        '/api/openapi.json',
        '/api/v1/account/restore',
      ].toSorted(),
    )
  })

  test('that is not public forbids caching', async ({ service }) => {
    const world = await givenWorld(service)
    const calls = createCalls(world)
    for (const { method, url } of service.routes.filter(({ access }) => access !== 'public')) {
      const answer = await make(service, calls[`${method} ${url}`]!, {})
      expect.soft(answer.headers['cache-control'], url).toBe('no-store')
    }
  })
})

describe('another’s notification', () => {
  test.for([
    ['GET', 'read'],
    ['POST', 'events'],
  ] as const)('%s …/%s answers like a missing one and stays as it is', async ([method, action], { service }) => {
    const { notificationId, admin } = await givenWorld(service)
    const stranger = await service.given.user()
    // Every call stores its caller's activity. So these calls come before those that must change nothing.
    for (const { userId } of [stranger, admin]) service.deps.activity.touch(userId)
    const before = await readDatabase(service)

    for (const { headers } of [stranger, admin]) {
      const call = (id: number) => ({
        method,
        url: `/api/notification/${id}/${action}`,
        ...(method === 'POST' && { payload: { event: 'shown' } }),
        headers: { ...headers, 'x-request-id': 'same' },
      })
      const answer = await service.app.inject(call(notificationId))
      const missing = await service.app.inject(call(999_999_999))
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' })
      expect(answer.body).toBe(missing.body)
    }
    expect(await readDatabase(service)).toEqual(before)
  })
})

/** Every kind of caller, by name. */
async function createCallers({ given, deps, clock }: Service): Promise<Record<string, Caller>> {
  const longAgo = createSessions({ ...deps, clock: { now: () => clock.now() - 91 * 86_400_000 } })
  const callers: Record<string, Caller> = {
    nobody: { headers: {}, refusal: '401 UNAUTHENTICATED' },
    'a garbage token': { headers: { authorization: 'Bearer aaa.bbb.ccc' }, refusal: '401 UNAUTHENTICATED' },
    'another scheme': { headers: { authorization: 'Basic YWRtaW46YWRtaW4=' }, refusal: '401 UNAUTHENTICATED' },
  }
  for (const role of ROLES) {
    const { userId, headers } = await given.user({ role })
    const { token } = await longAgo.open({ userId })
    callers[role] = { headers, role }
    callers[`an expired ${role}`] = { headers: { authorization: `Bearer ${token}` }, refusal: '401 TOKEN_EXPIRED' }
    const revoked = await given.user({ role })
    await commitWork(deps, deps.sessions.end, { userId: revoked.userId, reason: 'test' })
    callers[`a signed-out ${role}`] = { headers: revoked.headers, refusal: '401 UNAUTHENTICATED' }
    const deleted = await given.user({ role })
    const accounts = deps.db.updateTable('users').set({ deleted_at: new Date() })
    await accounts.where('user_id', '=', deleted.userId).execute()
    callers[`a deleted ${role}`] = { headers: deleted.headers, refusal: '401 UNAUTHENTICATED' }
    for (const status of ['suspended', 'banned'] as const) {
      const barred = await given.user({ role, status })
      callers[`a ${status} ${role}`] = { headers: barred.headers, refusal: '401 ACCOUNT_SUSPENDED' }
    }
  }
  return callers
}

/** The refusal of a route of this access for the caller; undefined if it lets them in. */
function toRefusal(access: Access, caller: Caller): string | undefined {
  if (access === 'public') return undefined
  if ('refusal' in caller) return caller.refusal
  return access === 'user' || can(caller.role, access) ? undefined : '403 FORBIDDEN'
}

/** How many calls without the right the audit log has (decision C14). */
async function deniedCalls({ deps }: Service): Promise<number> {
  const denied = await deps.db.selectFrom('audit_log').select('audit_id').where('action', '=', 'denied').execute()
  return denied.length
}

/** Every table as one hash, so that any change shows; but for the audit log, which keeps the refusals. */
async function readDatabase({ deps }: Service): Promise<Record<string, string>> {
  await deps.activity.flush()
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where (table_schema = 'public' and table_name not like 'audit_%') or (table_schema = 'pgboss' and table_name = 'job')`.execute(
    deps.db,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ hash: string }>`
      select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from ${sql.table(name)} t`.execute(
      deps.db,
    )
    hashes[name] = rows[0]?.hash ?? ''
  }
  return hashes
}
