import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send } from '../../../test/support/campaign.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { sendSwapMessage } from '../chat/chat.ts'

const URL = '/api/v1/me'

function read({ app }: Service, { headers }: GivenUser) {
  return app.inject({ url: URL, headers })
}

function change({ app }: Service, { headers }: GivenUser, payload: object, more: Record<string, string> = {}) {
  return app.inject({ method: 'PATCH', url: URL, headers: { ...headers, ...more }, payload })
}

describe('GET /api/v1/me', () => {
  test('gives the profile with the numbers of the first screen in one call', async ({ service, deps }) => {
    const { requester, owner, swapId } = await givenProposal(service)
    await givenProduct(deps, owner, { status: 'draft' })
    await givenProduct(deps, owner, { deleted_at: new Date(deps.clock.now()) })
    for (const text of ['Hello', 'Are you there?']) await commitAs(requester, deps, sendSwapMessage, { swapId, text })
    await commitAs(owner, deps, sendSwapMessage, { swapId, text: 'Yes' })
    await send(service, [owner])
    await drain(service)
    const answer = await read(service, owner)
    expect(answer.headers['etag']).toBe('"v1"')
    const { data } = answer.json<{ data: { counts: { unread_notifications: number } } }>()
    expect(data).toEqual({
      id: owner.userId,
      username: expect.any(String) as string,
      email: owner.email,
      name: owner.name,
      city: null,
      avatar_url: null,
      language: 'en',
      time_zone: 'UTC',
      version: 1,
      created_at: expect.any(String) as string,
      counts: {
        unread_notifications: data.counts.unread_notifications,
        unread_chat_lines: 2,
        open_swaps: 1,
        products: 2,
      },
    })
    const inbox = await service.app.inject({ url: '/api/v1/inbox?state=unread', headers: owner.headers })
    expect(data.counts.unread_notifications).toBe(inbox.json<{ data: unknown[] }>().data.length)
    expect(data.counts.unread_notifications).toBeGreaterThan(1)
  })
})

describe('PATCH /api/v1/me', () => {
  test('changes the profile, and the next call knows it', async ({ service, given }) => {
    const user = await given.user()
    const wanted = {
      name: 'Ada Lovelace',
      username: `ada-${user.userId}`,
      city: 'London',
      avatar_url: 'https://example.com/ada.png',
      language: 'fr-CA',
      time_zone: 'America/Toronto',
    }
    const answer = await change(service, user, wanted)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['etag']).toBe('"v2"')
    expect(answer.json()).toMatchObject({ data: { ...wanted, language: 'fr', version: 2 } })
    expect((await read(service, user)).json()).toMatchObject({ data: { ...wanted, language: 'fr', version: 2 } })
    expect((await change(service, user, { city: 'London' })).json()).toMatchObject({ data: { version: 2 } })
    expect((await change(service, user, { city: null })).json()).toMatchObject({ data: { city: null, version: 3 } })
  })

  test('of another version is 412 with the present profile, and changes nothing', async ({ service, given }) => {
    const user = await given.user()
    await change(service, user, { city: 'Ghent' })
    const answer = await change(service, user, { city: 'Bruges' }, { 'if-match': '"v1"' })
    expectError(answer, 412, 'STALE_VERSION')
    expect(answer.json()).toMatchObject({ data: { city: 'Ghent', version: 2 } })
    expect((await change(service, user, { city: 'Bruges' }, { 'if-match': '"v2"' })).statusCode).toBe(200)
  })

  test('to a username of another, in any case, is a duplicate', async ({ service, given }) => {
    const [user, other] = [await given.user(), await given.user()]
    await change(service, other, { username: `Taken-${other.userId}` })
    const answer = await change(service, user, { username: `taken-${other.userId}` })
    expectError(answer, 409, 'DUPLICATE')
    expect(answer.json()).toMatchObject({ errors: { username: ['belongs to another account'] } })
  })

  test('by staff leaves an audit entry, by a user none', async ({ service, given, deps }) => {
    const [user, admin] = [await given.user(), await given.admin()]
    for (const who of [user, admin]) await change(service, who, { city: 'Ghent' })
    const entries = await deps.db
      .selectFrom('audit_log')
      .select('entity_id')
      .where('action', '=', 'user.update')
      .execute()
    expect(entries).toEqual([{ entity_id: admin.userId }])
  })

  test.for<[string, string, object]>([
    ['nothing', 'body', {}],
    ['an address', 'email', { email: 'ada@example.com' }],
    ['a role', 'role', { role: 'admin' }],
    ['a language that is no tag', 'language', { language: 'English, please' }],
    ['an unknown time zone', 'time_zone', { time_zone: 'Europe/Atlantis' }],
    ['an offset', 'time_zone', { time_zone: '+02:00' }],
    ['an image without TLS', 'avatar_url', { avatar_url: 'http://example.com/a.png' }],
    ['an image that is a script', 'avatar_url', { avatar_url: 'javascript:alert(1)' }],
    ['a blank name', 'name', { name: ' ' }],
    ['a username with a space', 'username', { username: 'a b' }],
    ['no name', 'name', { name: null }],
  ])('refuses %s', async ([, field, payload], { service, given }) => {
    const user = await given.user()
    expectInvalid(await change(service, user, payload), field)
    expect((await read(service, user)).json()).toMatchObject({ data: { version: 1 } })
  })
})

test.for([
  ['de_DE', 'de'],
  ['pt-BR', 'en'],
  ['it', 'en'],
  ['JA-jp', 'ja'],
  ['zh-Hans-CN', 'en'],
])('the language %s is taken as %s', async ([language, taken], { service }) => {
  const user = await service.given.user()
  const call = {
    method: 'PATCH',
    url: '/api/v1/me',
    headers: user.headers,
    payload: { language, city: 'Ghent' },
  } as const
  expect((await service.app.inject(call)).json()).toMatchObject({ data: { language: taken, city: 'Ghent' } })
})
