import { describe, expect } from 'vitest'
import { PASSWORD, insertAccount, post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { expectError } from '../../../test/support/faults.ts'
import { hold } from '../../../test/support/holds.ts'
import type { Role } from '../../platform/tables/tables.ts'

const FACTOR = `insert into second_factors (user_id, key_id, sealed, created_at, confirmed_at)
  values ($1, 'key', 'sealed', now(), now())`

describe('A sign-in whose account changes while its password is checked', () => {
  test.for<[what: string, role: Role, change: string]>([
    ['is suspended', 'user', `update users set status = 'suspended' where user_id = $1`],
    ['is banned', 'user', `update users set status = 'banned' where user_id = $1`],
    ['is deleted', 'user', `update users set deleted_at = now() where user_id = $1`],
    ['gets rights', 'user', `update users set role = 'admin' where user_id = $1`],
    ['gets a second factor', 'admin', `update users set version = version + 1 where user_id = $1; ${FACTOR}`],
  ])('opens no session when it %s', async ([, role, change], { service, app, deps }) => {
    const { user_id: userId, email } = await insertAccount(deps, { role, has_long_password: true })
    const held = await hold(service, change.replaceAll('$1', String(userId)))
    const signIn = post(app, '/api/v1/login', { email, password: PASSWORD })
    await held.untilWaiting(1)
    await held.commit()
    expectError(await signIn, 401, 'INVALID_CREDENTIALS')
    const sessions = deps.db.selectFrom('sessions').select('session_id').where('user_id', '=', userId)
    expect(await sessions.execute()).toEqual([])
  })
})
