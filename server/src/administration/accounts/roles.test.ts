// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenPanel } from '../../../test/support/panel.ts'

type Roles = { data: { role: string; permissions: string[]; may_give: boolean }[] }

describe('The roles', () => {
  test('are listed with their permissions, and with whether the caller may give them', async ({ service }) => {
    const given = async (role: 'admin' | 'super_admin') =>
      (await (await givenPanel(service, role)).get('/roles')).json<Roles>().data
    const roles = await given('admin')
    expect(roles.map(({ role, may_give }) => [role, may_give])).toEqual([
      ['user', true],
      ['analyst', true],
      ['moderator', true],
      ['admin', true],
      ['super_admin', false],
    ])
    expect(roles[1]?.permissions).toEqual(['panel', 'reports', 'insights'])
    expect((await given('super_admin')).every(({ may_give }) => may_give)).toBe(true)
  })
})
