// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { verifyAudit } from '../src/administration/audit/verify.ts'
import { get, insertAccount, PASSWORD, post } from './support/accounts.ts'
import { test } from './support/app.ts'
import { givenFactor } from './support/factors.ts'
import { manage } from './support/manage.ts'
import type { Service } from './support/service.ts'

const LOGIN = '/api/admin/v1/login'

function command({ deps }: Service, args: string[], input?: string, secret = deps.config.JWT_SECRET) {
  return manage(args, { DATABASE_URL: deps.config.DATABASE_URL, JWT_SECRET: secret }, input)
}

function lastEntry({ deps }: Service) {
  return deps.db
    .selectFrom('audit_log as l')
    .innerJoin('audit_details as d', 'd.audit_id', 'l.audit_id')
    .select(['l.action', 'l.actor_id', 'l.entity_id', 'd.content'])
    .orderBy('l.audit_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function toPassword({ stdout }: { stdout: string }): string {
  return /^Password: (\S+)$/m.exec(stdout)?.[1] ?? ''
}

describe('reset-admin-password', () => {
  test('gives a password that signs in, ends all sessions, and is in the audit log', async ({ service, app, deps }) => {
    const { email, user_id } = await insertAccount(deps, { role: 'admin' })
    const open = (await post(app, LOGIN, { email, password: PASSWORD })).json().data.token
    const said = await command(service, ['reset-admin-password', '--email', email.toUpperCase()])
    expect(said).toMatchObject({ code: 0, stderr: '' })
    const [, password] = /^Password: (\S+)$/m.exec(said.stdout) ?? []
    expect(await lastEntry(service)).toEqual({
      action: 'user.reset-password',
      actor_id: null,
      entity_id: user_id,
      content: { before: null, after: { password: 'reset', sessions: 'ended', operator: expect.any(String) } },
    })
    expect(await verifyAudit(deps)).toMatchObject({ broken: undefined })
    deps.sessions.forget(user_id)
    expect((await get(app, '/api/admin/v1/check-token', open)).statusCode).toBe(401)
    expect((await post(app, LOGIN, { email, password: PASSWORD })).statusCode).toBe(401)
    expect((await post(app, LOGIN, { email, password })).statusCode).toBe(200)
  })

  test('takes the password from standard input, and shows it nowhere', async ({ service, app, deps }) => {
    const { email } = await insertAccount(deps, { role: 'super_admin' })
    const args = ['reset-admin-password', '--email', email, '--password-stdin']
    const short = await command(service, args, 'eleven char\n')
    expect(short).toMatchObject({ code: 2, stdout: '' })
    expect(short.stderr).toContain('password must have at least 12 characters')
    expect(await command(service, args)).toMatchObject({
      code: 1,
      stderr: 'Standard input must contain the password in its first line.\n',
    })
    const password = `new ${randomUUID()}`
    const said = await command(service, args, `${password}\n`)
    expect(said).toMatchObject({ code: 0, stderr: '' })
    expect(said.stdout).not.toContain(password)
    expect((await post(app, LOGIN, { email, password })).statusCode).toBe(200)
  })

  test('removes a second factor only with its option', async ({ service, app }) => {
    const { email } = await givenFactor(service)
    const args = ['reset-admin-password', '--email', email]
    const kept = toPassword(await command(service, args))
    expect((await post(app, LOGIN, { email, password: kept })).statusCode).toBe(202)
    const password = toPassword(await command(service, [...args, '--disable-second-factor']))
    expect((await lastEntry(service))?.content).toMatchObject({ after: { second_factor: 'removed' } })
    expect((await post(app, LOGIN, { email, password })).statusCode).toBe(200)
  })

  test('refuses users, unknown addresses, and a secret that is not the service’s', async ({ service, deps }) => {
    const { email } = await insertAccount(deps)
    const refused = async (address: string, secret?: string) => {
      const { code, stdout, stderr } = await command(service, ['reset-admin-password', '--email', address], '', secret)
      return [code, stdout + stderr]
    }
    const before = await lastEntry(service)
    expect(await refused(email)).toEqual([1, 'This is the account of a user, not of an administrator.\n'])
    expect(await refused('nobody@example.com')).toEqual([
      1,
      'An account with the address nobody@example.com does not exist.\n',
    ])
    expect(await refused(email, 'another key for signing, which the service does not have')).toEqual([
      1,
      'The audit log is signed with another secret: set AUDIT_SECRET, or JWT_SECRET, as the service has it.\n',
    ])
    expect(await refused(email, '')).toEqual([2, expect.stringContaining('AUDIT_SECRET, or JWT_SECRET')])
    expect(await lastEntry(service)).toEqual(before)
  })
})

describe('create-admin', () => {
  test('makes an account that signs in with its role, and is in the audit log', async ({ service, app, deps }) => {
    const email = `${randomUUID()}@example.com`
    const args = ['create-admin', '--email', email, '--name', 'Grace Hopper']
    const said = await command(service, [...args, '--role', 'moderator'])
    expect(said).toMatchObject({ code: 0, stderr: '' })
    const [, password] = /^Password: (\S+)$/m.exec(said.stdout) ?? []
    const answer = await post(app, LOGIN, { email, password })
    expect(answer.json().data.user).toMatchObject({ role: 'moderator', name: 'Grace Hopper', email })
    const entry = deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'user.create')
    expect(await entry.execute()).toMatchObject([{ entity_id: answer.json().data.user.user_id, actor_id: null }])
    expect(await verifyAudit(deps)).toMatchObject({ broken: undefined })
    const again = await command(service, args)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toContain('email belongs to another account.')
    expect(await command(service, [...args, '--role', 'user'])).toMatchObject({ code: 2 })
    expect(await command(service, ['create-admin', '--email', 'Zoë@example.com', '--name', 'Z'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('email must be an e-mail address'),
    })
  })
})
