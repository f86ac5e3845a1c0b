import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { bearer, signedIn, get, insertAccount, PASSWORD, post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordAudit, recordAuditAlone, type Actor } from './audit.ts'
import { CHAIN_START, hashDetails } from './chain.ts'
import { verifyAudit } from '../../administration/audit/verify.ts'

const ADDRESS = '/api/admin/v1/audit-log'

function actor(overrides: Partial<Actor> = {}): Actor {
  return { userId: 1, role: 'admin', ip: '192.0.2.7', userAgent: 'a browser', requestId: 'r-1', ...overrides }
}

describe('The audit log', () => {
  test('has each login, each failed one with the account that was tried, and each denied call', async ({
    app,
    deps,
    given,
  }) => {
    const admin = await given.admin()
    const hash = await deps.passwords.hash('a long enough password')
    await deps.db.updateTable('users').set({ password_hash: hash }).where('user_id', '=', admin.userId).execute()
    const login = (email: string, password: string) =>
      app.inject({
        method: 'POST',
        url: '/api/admin/v1/login',
        payload: { email, password },
        headers: { 'user-agent': 'a browser' },
      })
    await login(admin.email, 'a long enough password')
    await login(admin.email, 'a wrong password')
    await login('nobody@example.com', 'a wrong password')
    const user = await given.user()
    const denied = await app.inject({ url: ADDRESS, headers: { ...user.headers, 'x-request-id': 'denied-one' } })
    expect(denied.statusCode).toBe(403)

    const answer = await app.inject({ url: `${ADDRESS}?sort_order=asc`, headers: admin.headers })
    expect(answer.statusCode).toBe(200)
    const who = { user_id: admin.userId, name: admin.name, role: 'admin' }
    expect(answer.json().data).toMatchObject([
      { id: 1, action: 'login', actor: who, entity_id: admin.userId, ip: '127.0.0.1', user_agent: 'a browser' },
      { id: 2, action: 'login_failed', actor: null, entity_id: admin.userId },
      { id: 3, action: 'login_failed', actor: null, entity_id: null },
      { id: 4, action: 'denied', actor: { user_id: user.userId }, entity: ADDRESS, request_id: 'denied-one' },
    ])
    expect(answer.json().pagination).toEqual({ current_page: 1, total_pages: 1, total_items: 4, per_page: 20 })
    expect(JSON.stringify(answer.json())).not.toContain('nobody@example.com')
  })

  test('is locked by a transaction only while it commits, wherever the entry was asked for', async ({ deps }) => {
    const order: string[] = []
    const { promise: asked, resolve: firstIsAsked } = Promise.withResolvers<void>()
    const { promise: second, resolve: secondIsDone } = Promise.withResolvers<void>()
    const first = inTransaction(deps.db, async (tx) => {
      await recordAudit(tx, deps, actor(), { action: 'asked first' })
      firstIsAsked()
      await second
      order.push('first')
    })
    await asked
    await recordAuditAlone(deps, actor(), { action: 'asked second' })
    order.push('second')
    secondIsDone()
    await first
    expect(order).toEqual(['second', 'first'])
    const entries = await deps.db
      .selectFrom('audit_log')
      .select('action')
      .orderBy('audit_id', 'desc')
      .limit(2)
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['asked first', 'asked second'])
  })

  test.for<[string, string]>([
    ['/api/v1/login', '/api/v1/logout'],
    ['/api/admin/v1/login', '/api/admin/v1/logout'],
  ])('has what administrators do at %s and %s, and of users nothing', async ([login, logout], { app, deps, given }) => {
    const reader = await given.admin()
    const staff = await insertAccount(deps, { role: 'moderator' })
    const user = await insertAccount(deps)
    for (const { email } of [staff, user]) {
      await post(app, login, { email, password: 'a wrong password' })
      await post(app, login, { email, password: 'a wrong password' })
      const { data } = (await post(app, login, { email, password: PASSWORD })).json()
      await get(app, logout, data?.token)
      await get(app, logout, data?.token)
    }
    const entries = async (filter: string) =>
      (await app.inject({ url: `${ADDRESS}?${filter}&sort_order=asc`, headers: reader.headers })).json().data
    const who = { user_id: staff.user_id, role: 'moderator' }
    expect(await entries(`entity=user&entity_id=${staff.user_id}`)).toMatchObject([
      { action: 'login_failed', actor: null, ip: '127.0.0.1' },
      { action: 'login', actor: who },
      { action: 'logout', actor: who },
    ])
    // The panel's login logs the failures of all accounts.
    const failures = login === '/api/v1/login' ? [] : [{ action: 'login_failed' }]
    expect(await entries(`entity=user&entity_id=${user.user_id}`)).toMatchObject(failures)
    expect(await entries(`actor_id=${user.user_id}`)).toEqual([])
  })

  test.for<[string, 'GET' | 'DELETE', string]>([
    ['logout', 'GET', '/api/v1/logout'],
    ['user.session-end', 'DELETE', '/api/v1/account/sessions'],
  ])(
    'has a %s of staff whose rights have ended in this session',
    async ([action, method, url], { app, deps, given, clock }) => {
      const { data } = await signedIn(app, deps, { role: 'moderator' })
      await clock.setTime(clock.now() + 13 * 3_600_000)
      expect((await app.inject({ method, url, headers: bearer(data.token) })).statusCode).toBe(200)
      const reader = await given.admin()
      const found = await app.inject({
        url: `${ADDRESS}?action=${action}&entity_id=${data.user.id}`,
        headers: reader.headers,
      })
      expect(found.json().data).toMatchObject([{ action, actor: { user_id: data.user.id, role: 'moderator' } }])
    },
  )

  test('can be filtered by actor, action, record, request and time', async ({ app, deps, given, clock }) => {
    await clock.setTime(clock.now() + 86_400_000)
    const admin = await given.admin()
    const requestId = 'asked-one'
    const change = { before: { title: 'Old' }, after: { title: 'New' }, subjectId: admin.userId }
    const entry = { action: 'product.update', entity: 'product', entityId: 77, change }
    await recordAuditAlone(deps, actor({ userId: admin.userId, requestId }), entry)
    const since = new Date(clock.now() - 1_000).toISOString()
    for (const filter of [
      `actor_id=${admin.userId}`,
      'action=product.update',
      'entity=product&entity_id=77',
      `request_id=${requestId}`,
      `start_date=${since}`,
      `search=${admin.name}&sort_by=at`,
      `search=${admin.email}`,
    ]) {
      const answer = await app.inject({ url: `${ADDRESS}?${filter}`, headers: admin.headers })
      const expected = { entity_id: 77, before: { title: 'Old' }, after: { title: 'New' }, request_id: requestId }
      expect.soft(answer.json().data, filter).toMatchObject([expected])
    }
    const none = await app.inject({ url: `${ADDRESS}?end_date=2020-01-01`, headers: admin.headers })
    expect(none.json()).toMatchObject({ data: [], pagination: { total_pages: 0, total_items: 0 } })
    const nobody = await app.inject({ url: `${ADDRESS}?search=nobody-at-all`, headers: admin.headers })
    expect(nobody.json()).toMatchObject({ data: [], search_reach: 'anywhere' })
  })

  test('has each send and each control of a campaign, with actor and target, but never the content', async ({
    app,
    given,
  }) => {
    const { headers, userId } = await given.admin()
    const call = (url: string, payload?: object) =>
      app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
    const content = { title: 'Said to all', text: 'Nobody should read this twice' }
    const campaign = '/api/admin/promotional-notifications'
    const { notification_id: id } = (await call('/api/admin/send-notification-all', content)).json().data
    await call('/api/admin/send-notification', { ...content, user_ids: [userId] })
    await call('/api/admin/send-notification', { ...content, user_ids: [999_999_999] })
    for (const control of ['pause', 'pause', 'resume', 'stop']) await call(`${campaign}/${id}/${control}`)
    await call('/api/admin/push-status/resume')
    await app.inject({ url: '/api/admin/process-receipts', headers })

    const answer = await app.inject({ url: `${ADDRESS}?actor_id=${userId}&sort_order=asc`, headers })
    expect(answer.json().data).toMatchObject([
      { action: 'notification.send', entity: 'message', entity_id: id, after: { audience: 'all' } },
      { action: 'notification.send', after: { audience: 'users', users: 1, promotional: false } },
      { action: 'campaign.pause', entity_id: id, before: { status: 'queued' }, after: { status: 'paused' } },
      { action: 'campaign.resume', entity_id: id, before: { status: 'paused' }, after: { status: 'sending' } },
      { action: 'campaign.stop', entity_id: id, before: { status: 'sending' }, after: { status: 'stopped' } },
      { action: 'sending.resume' },
      { action: 'receipts.fetch' },
    ])
    expect(answer.body).not.toContain('Said to all')
  })

  test.for(['actor_id=0', 'sort_order=up', 'start_date=yesterday', 'end_date=2026-02-30', 'timezone=Mars/Olympus'])(
    'refuses %s and names the field',
    async (query, { app, given }) => {
      const { headers } = await given.admin()
      const answer = await app.inject({ url: `${ADDRESS}?${query}`, headers })
      expect(answer.statusCode).toBe(422)
      expect(Object.keys(answer.json().errors)).toEqual([query.split('=')[0]])
    },
  )

  test('is one chain, also with many writers at the same time', async ({ deps }) => {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => recordAuditAlone(deps, actor(), { action: 'login', entityId: n })),
    )
    const { entries, broken } = await verifyAudit(deps)
    expect(entries).toBeGreaterThanOrEqual(50)
    expect(broken).toBeUndefined()
  })

  test('contains nothing that was rolled back', async ({ deps }) => {
    const before = await verifyAudit(deps)
    const failing = inTransaction(deps.db, async (tx) => {
      await recordAudit(tx, deps, actor(), { action: 'never' })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await verifyAudit(deps)).toEqual(before)
  })

  test('is only ever appended to', async ({ deps }) => {
    await recordAuditAlone(deps, actor(), { action: 'login' })
    for (const statement of [
      sql`update audit_log set action = 'x'`,
      sql`delete from audit_log`,
      sql`truncate audit_log cascade`,
      sql`update audit_details set content = '{}'`,
    ])
      await expect(statement.execute(deps.db)).rejects.toThrow('only ever appended to')
  })
})

describe('A digest of details', () => {
  test('depends on the content, not on the order of the keys', () => {
    const one = { salt: 's', content: { a: 1, b: { c: [1, { d: 2, e: 3 }] } } }
    const other = { salt: 's', content: { b: { c: [1, { e: 3, d: 2 }] }, a: 1 } }
    expect(hashDetails(one)).toBe(hashDetails(other))
    expect(hashDetails({ ...one, salt: 't' })).not.toBe(hashDetails(one))
    expect(CHAIN_START).toHaveLength(64)
  })
})
