// Slow: a second or more for each test, or five for the file.
import { expect } from 'vitest'
import { bearer, get, PASSWORD, post, signedIn } from '../../../test/support/accounts.ts'
import { mailTest as test, type MailService } from '../../../test/support/mail.ts'
import { givenProposal, swapStatus } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { hashed } from '../../identity/sign-in/auth.ts'
import { purgeUsers } from './purge.ts'

const DAY_MS = 86_400_000

test('people who delete their account are off the market, signed out and informed, and can be restored for 30 days', async ({
  service,
}) => {
  const { app, deps, clock } = service
  const { requester, swapId } = await givenProposal(service)
  const account = await withPassword(service, requester.userId)
  const wrong = await remove(service, requester.headers, 'quite another word')
  expect([wrong.statusCode, Object.keys(wrong.json().errors)]).toEqual([422, ['current_password']])
  expect(await swapStatus(deps, swapId)).toBe('pending')

  const answer = await remove(service, requester.headers)
  expect(answer.json().data).toEqual({
    user_id: requester.userId,
    restorable_until: new Date(clock.now() + 30 * DAY_MS).toISOString(),
  })
  expect(await swapStatus(deps, swapId)).toBe('invalidated')
  expect((await app.inject({ url: '/api/v1/account', headers: requester.headers })).statusCode).toBe(401)
  expect((await post(app, '/api/v1/login', account)).json()).toMatchObject({ code: 'ACCOUNT_DELETED' })
  expect((await post(app, '/api/v1/login', { ...account, password: 'wrong' })).statusCode).toBe(401)
  expect((await service.mailsTo(account.email)).map(({ subject }) => subject)).toEqual([
    'Your Swapbell account was deleted',
  ])
  const history = deps.db.selectFrom('state_changes').select(['to_state', 'actor', 'actor_id'])
  expect(await history.where('entity', '=', 'user').where('user_id', '=', requester.userId).execute()).toEqual([
    { to_state: 'deleted', actor: 'user', actor_id: requester.userId },
  ])
  const panel = await givenPanel(service)
  expect((await panel.post(`/user/${requester.userId}/restore`)).statusCode).toBe(200)
  const again = await post(app, '/api/v1/login', account)
  expect((await remove(service, bearer(again.json().data.token))).statusCode).toBe(200)
  await clock.setTime(clock.now() + 30 * DAY_MS)
  expect(await purgeUsers(deps, new AbortController().signal)).toBe(1)
  expect(await deps.db.selectFrom('mails').select('mail_id').where('address', '=', account.email).execute()).toEqual([])
})

test('People restore an account that they deleted, with its password and within 30 days; not one that an administrator deleted', async ({
  service,
}) => {
  const { app, clock } = service
  const user = await service.given.user()
  const account = await withPassword(service, user.userId)
  const restore = async (given = account) => {
    const answer = await post(app, '/api/v1/account/restore', given)
    return [answer.statusCode, answer.json<{ code?: string }>().code]
  }
  expect(await restore()).toEqual([409, 'INVALID_STATE'])
  await remove(service, user.headers)
  expect(await restore({ ...account, password: 'quite another word' })).toEqual([401, 'INVALID_CREDENTIALS'])
  expect((await post(app, '/api/v1/login', account)).statusCode).toBe(403)
  // One of two calls at once restores it.
  const both = await Promise.all([restore(), restore()])
  expect(both.toSorted()).toEqual([
    [200, undefined],
    [409, 'INVALID_STATE'],
  ])
  const again = await post(app, '/api/v1/login', account)
  expect(again.statusCode).toBe(200)
  await remove(service, bearer(again.json().data.token))
  await clock.setTime(clock.now() + 30 * DAY_MS)
  expect(await restore()).toEqual([409, 'INVALID_STATE'])

  const other = await service.given.user()
  const barred = await withPassword(service, other.userId)
  const panel = await givenPanel(service)
  expect((await panel.delete(`/user/${other.userId}`)).statusCode).toBe(200)
  expect(await restore(barred)).toEqual([409, 'INVALID_STATE'])
})

test('A password of staff that is guessed by restoring their account is audited as a failed sign-in', async ({
  service,
}) => {
  const moderator = await service.given.user({ role: 'moderator' })
  const { email } = await withPassword(service, moderator.userId)
  for (const address of [email, 'nobody@example.com'])
    expect((await post(service.app, '/api/v1/account/restore', { email: address, password: 'wrong' })).statusCode).toBe(
      401,
    )
  const panel = await givenPanel(service)
  const { data } = (await panel.get('/audit-log?action=login_failed')).json()
  expect(data).toMatchObject([{ actor: null, entity_id: moderator.userId }])
})

test('The last super administrator cannot delete their account; another can, with an audit entry', async ({
  service,
}) => {
  const { app, deps } = service
  const [one, other] = [await root(service), await root(service)]
  expect((await remove(service, one.headers)).statusCode).toBe(200)
  const last = await remove(service, other.headers)
  expect([last.statusCode, last.json().code]).toEqual([409, 'CONFLICT'])
  expect((await app.inject({ url: '/api/v1/account', headers: other.headers })).statusCode).toBe(200)
  const log = await app.inject({
    url: `/api/admin/v1/audit-log?action=user.delete&entity_id=${one.userId}`,
    headers: other.headers,
  })
  expect(log.json().data).toMatchObject([{ actor: { user_id: one.userId } }])
  await deps.db.updateTable('users').set({ role: 'user' }).where('user_id', '=', other.userId).execute()
})

test('Of two who delete the same account at once, one deletes it', async ({ service }) => {
  const { data } = await signedIn(service.app, service.deps)
  const statuses = await Promise.all([1, 2].map(async () => (await remove(service, bearer(data.token))).statusCode))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect((await get(service.app, '/api/v1/account', data.token)).statusCode).toBe(401)
})

async function root(service: MailService) {
  const user = await service.given.user({ role: 'super_admin' })
  await withPassword(service, user.userId)
  return user
}

async function withPassword({ deps }: MailService, userId: number): Promise<{ email: string; password: string }> {
  const secret = await hashed(deps, PASSWORD, [])
  const changed = deps.db.updateTable('users').set(secret).where('user_id', '=', userId).returning('email')
  return { email: (await changed.executeTakeFirstOrThrow()).email, password: PASSWORD }
}

function remove({ app }: MailService, headers: Record<string, string>, password = PASSWORD) {
  return app.inject({ method: 'POST', url: '/api/v1/account/delete', headers, payload: { current_password: password } })
}
