// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { PASSWORD, get, post, signedIn } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import {
  readCode,
  givenFactor,
  pendingToken,
  secondStep,
  STEP_MS,
  type FactorOwner,
} from '../../../test/support/factors.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { removeAllFactors } from '../second-factor/second-factor.ts'

const OWN = '/api/v1/account/second-factor'
const WHO = '/api/admin/v1/check-token'
const USERS = '/api/admin/v1/users?per_page=1'
const WRONG = 'INVALID_CODE'

function asked({ app }: Service, { headers }: Pick<FactorOwner, 'headers'>, path: string, payload: object) {
  return app.inject({ method: 'POST', url: `${OWN}${path}`, headers, payload })
}

describe('A second factor', () => {
  test('is begun with the password, shown once and stored sealed', async ({ service }) => {
    const { app, deps } = service
    const { data, email } = await signedIn(app, deps, { role: 'moderator' })
    const headers = { authorization: `Bearer ${data.token}` }
    const refused = await asked(service, { headers }, '', { current_password: 'wrong horse' })
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['current_password']])
    const made = (await asked(service, { headers }, '', { current_password: PASSWORD })).json().data
    const label = encodeURIComponent(email)
    expect(made.uri).toMatch(new RegExp(`^otpauth://totp/Swapbell:${label}\\?issuer=Swapbell&secret=${made.secret}&`))
    const row = await deps.db
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', data.user.id)
      .executeTakeFirstOrThrow()
    expect(row.confirmed_at).toBeNull()
    expect(JSON.stringify(await deps.db.selectFrom('second_factors').selectAll().execute())).not.toContain(made.secret)
    // An unconfirmed second factor has no effect.
    expect((await post(app, '/api/v1/login', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('waits 15 minutes for its confirmation, is confirmed by a right code, and is not begun twice', async ({
    service,
  }) => {
    const { app, deps, clock } = service
    const { data } = await signedIn(app, deps, { role: 'analyst' })
    const headers = { authorization: `Bearer ${data.token}` }
    const confirm = (code: string) => asked(service, { headers }, '/confirm', { code })
    expect((await confirm('000000')).json()).toMatchObject({ code: 'INVALID_STATE' })
    await asked(service, { headers }, '', { current_password: PASSWORD })
    expect((await confirm('000000')).json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: { code: [expect.any(String)] },
    })
    await clock.setTime(clock.now() + 15 * 60_000)
    expect((await confirm('000000')).json()).toMatchObject({ code: 'INVALID_STATE' })
    const owner = await givenFactor(service)
    const again = await asked(service, owner, '', { current_password: PASSWORD })
    expect([again.statusCode, again.json().code]).toEqual([409, 'INVALID_STATE'])
  })

  test('ends the other sessions of the account when it is turned on and off, and keeps this one', async ({
    service,
  }) => {
    const { app, deps } = service
    const owner = await givenFactor(service)
    const other = (await secondStep(service, await pendingToken(service, owner), owner.code())).json().data.token
    expect((await get(app, WHO, other)).statusCode).toBe(200)
    await service.clock.setTime(service.clock.now() + STEP_MS)
    const wrong = await asked(service, owner, '/disable', { code: owner.code(9) })
    expect([wrong.statusCode, Object.keys(wrong.json().errors)]).toEqual([422, ['code']])
    expect((await asked(service, owner, '/disable', { code: owner.code() })).statusCode).toBe(200)
    expect((await get(app, WHO, other)).statusCode).toBe(401)
    expect((await app.inject({ url: WHO, headers: owner.headers })).statusCode).toBe(200)
    expect((await post(app, '/api/v1/login', { email: owner.email, password: PASSWORD })).statusCode).toBe(200)
    const left = deps.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', owner.userId)
    expect(await left.execute()).toEqual([])
  })

  test('gives new recovery codes for a code, and those before count no more', async ({ service }) => {
    const owner = await givenFactor(service)
    const answer = await asked(service, owner, '/recovery-codes', { code: owner.code() })
    const [fresh] = answer.json().data.recovery_codes as string[]
    const token = await pendingToken(service, owner)
    expect(await readCode(secondStep(service, token, owner.recoveryCodes[0]!))).toBe(WRONG)
    expect(await readCode(secondStep(service, token, fresh!))).toBe('OK')
  })

  test('is for roles with the panel', async ({ service }) => {
    const { app, deps } = service
    const { data } = await signedIn(app, deps)
    const headers = { authorization: `Bearer ${data.token}` }
    expect((await asked(service, { headers }, '', { current_password: PASSWORD })).statusCode).toBe(403)
  })

  test('can be removed by an operator', async ({ service }) => {
    const owner = await givenFactor(service)
    const remove = () => inTransaction(service.deps.db, (tx) => removeAllFactors(tx, owner.userId))
    expect([await remove(), await remove()]).toEqual([true, false])
    const answer = await post(service.app, '/api/admin/v1/login', { email: owner.email, password: PASSWORD })
    expect(answer.statusCode).toBe(200)
  })
})

test('Where a second factor is required, a session without one has no rights but to set it up', async () => {
  const service = await startService({ SECOND_FACTOR: 'required' })
  try {
    const { app, deps } = service
    const { data, email } = await signedIn(app, deps, { role: 'super_admin' })
    expect(data.user).toMatchObject({ role: 'super_admin', permissions: [], lacks_second_factor: true })
    const who = (await get(app, WHO, data.token)).json().data.user
    expect(who).toEqual(data.user)
    const refused = await get(app, USERS, data.token)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    expect((await get(app, OWN, data.token)).json().data).toMatchObject({ enabled: false, required: true })

    const owner = await givenFactor(service, 'super_admin')
    expect((await app.inject({ url: USERS, headers: owner.headers })).statusCode).toBe(200)
    const token = (await secondStep(service, await pendingToken(service, owner), owner.code())).json().data.token
    expect((await get(app, USERS, token)).statusCode).toBe(200)
    expect((await get(app, WHO, token)).json().data.user.lacks_second_factor).toBe(false)

    // A user of the app has no such rights and needs none.
    const user = (await signedIn(app, deps)).data
    expect((await get(app, '/api/notification', user.token)).statusCode).toBe(200)
    // Turned off again, the rights are gone with the next request.
    await service.clock.setTime(service.clock.now() + 2 * STEP_MS)
    expect((await asked(service, owner, '/disable', { code: owner.code() })).statusCode).toBe(200)
    expect((await app.inject({ url: USERS, headers: owner.headers })).statusCode).toBe(403)
    expect(email).toContain('@')
  } finally {
    await service.close()
  }
})
