import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'

type Item = { name: string; email: string; username: string }

const test = base.extend<'panel', Panel>('panel', { scope: 'file' }, ({ service }) => givenPanel(service))

describe('the list of users', () => {
  test.for([
    ['page=0', 'page'],
    ['page=1;drop table users', 'page'],
    ['per_page=-1', 'per_page'],
    ['sort_by=password_hash', 'sort_by'],
    ['sort_by=pg_sleep(5)', 'sort_by'],
    ['sort_by=constructor', 'sort_by'],
    ['sort_order=desc; select 1', 'sort_order'],
    ['status=gone', 'status'],
    ['status=active,', 'status'],
    ['role=root', 'role'],
    ["role=user' or 1=1 --", 'role'],
    ['email_verified=yes', 'email_verified'],
    ['is_test_user=1', 'is_test_user'],
    ['deleted=maybe', 'deleted'],
    ['last_active_from=yesterday-', 'last_active_from'],
    ['last_active_from=2026-01-02&last_active_to=2026-01-01', 'last_active_to'],
    ['start_date=2026-02-30', 'start_date'],
    ['timezone=Mars/Base', 'timezone'],
    ['search=%00', 'search'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ] as const)('refuses ?%s, naming %s', async ([query, field], { panel }) => {
    expectInvalid(await panel.get(`/users?${query}`), field)
  })

  test.for([
    "' or 1=1 --",
    "'; drop table users; --",
    "') union select password_hash from users --",
    "a' || pg_sleep(3) || '",
    '\\',
    "\\'",
    '%%%%%%%%',
    '____',
    '$1',
    ':name',
    '{}',
    "e'\\x27'",
    '\u{1F600}',
    '((((((((((',
    '[[:alpha:]]',
    '=cmd()',
    '../../etc/passwd',
    '<script>',
    '\r\nX-Injected: 1',
  ])('searches for %j as plain text, and finds nobody', async (text, { panel }) => {
    const answer = await panel.get(`/users?search=${encodeURIComponent(text)}`)
    expect(answer.statusCode).toBe(200)
    expect(
      (answer.json().data as Item[]).every(({ name, email, username }) =>
        `${username} ${email} ${name}`.includes(text),
      ),
    ).toBe(true)
    expect((await panel.get('/users?a[__proto__][x]=1&__proto__[x]=1')).statusCode).toBeLessThan(500)
    expect(({} as { x?: string }).x).toBeUndefined()
  })
})
