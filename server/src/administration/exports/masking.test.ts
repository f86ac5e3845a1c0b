import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { parseCsv, unzip } from '../../../test/support/downloads.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { runExport } from './exports.ts'

const ADDRESS = '/api/admin/v1/users-export'
const QUERY = '?columns=email,phone&search=@contact.'

type People = { admin: GivenUser; head: GivenUser }

const test = base.extend<'people', People>('people', { scope: 'file' }, async ({ service }) => {
  const people = [
    ['ada.lovelace@contact.example.co.uk', '+49 30 123456'],
    ['b@contact.example', '12345'],
    ['=1@contact.localhost', null],
  ] as const
  for (const [email, phone] of people) {
    const { userId } = await service.given.user({ email })
    await service.deps.db.updateTable('users').set({ phone }).where('user_id', '=', userId).execute()
  }
  return { admin: await service.given.admin(), head: await service.given.user({ role: 'super_admin' }) }
})

const WHOLE = [
  ['ada.lovelace@contact.example.co.uk', '+49 30 123456'],
  ['b@contact.example', '12345'],
  ["'=1@contact.localhost", ''],
]
const MASKED = [
  ['a***@***.uk', '***56'],
  ['b***@***.example', '***'],
  ["'=***@***.localhost", ''],
]

function exported({ app }: Service, { headers }: GivenUser, query = '') {
  return app.inject({ url: `${ADDRESS}${QUERY}${query}`, headers })
}

describe('Addresses and phone numbers in an export', () => {
  test('are masked for an administrator, and the answer and the name of its file say so', async ({
    service,
    people,
  }) => {
    const answer = await exported(service, people.admin)
    expect(parseCsv(answer.body).slice(1)).toEqual(MASKED)
    expect(answer.headers).toMatchObject({
      'x-contact-masked': 'true',
      'content-disposition': expect.stringMatching(/^attachment; filename="users-masked-[\d-]+\.csv"$/),
    })
    const json = (await exported(service, people.admin, '&format=json')).json()
    expect(json.message).toBe('3 users; e-mail addresses and phone numbers are masked')
    expect(json.data.map(({ email }: { email: string }) => email)).toEqual(
      MASKED.map(([email]) => email!.replace("'", '')),
    )
    const sheet = unzip((await exported(service, people.admin, '&format=xlsx')).rawPayload)['xl/worksheets/sheet1.xml']!
    expect(sheet).not.toContain('contact')
    expect(sheet).not.toContain('12345')
  })

  test('are whole for a super administrator, who has the right to see them', async ({ service, people }) => {
    const answer = await exported(service, people.head)
    expect(parseCsv(answer.body).slice(1)).toEqual(WHOLE)
    expect(answer.headers['x-contact-masked']).toBe('false')
    expect(answer.headers['content-disposition']).not.toContain('masked')
    const log = await service.app.inject({
      url: '/api/admin/v1/audit-log?action=users.export&per_page=1',
      headers: people.head.headers,
    })
    expect(log.json().data[0].after).toMatchObject({ masked: false })
  })

  test('in a file made in the background are masked by the right of its requester when it is made', async ({
    service,
    people,
  }) => {
    const { id: whole } = await stored(service, people.head)
    const { id: masked } = await stored(service, people.admin)
    expect(await readStatus(service, people.admin, masked)).toMatchObject({
      masked: true,
      download: expect.any(Object),
    })
    expect(await readText(service, people.admin, masked)).not.toContain('contact')
    expect(await readStatus(service, people.head, whole)).toMatchObject({ masked: false })
    expect(await readText(service, people.head, whole)).toContain('ada.lovelace@contact')

    const lost = await service.given.user({ role: 'super_admin' })
    const { id } = await stored(service, lost, () =>
      service.deps.db.updateTable('users').set({ role: 'admin' }).where('user_id', '=', lost.userId).execute(),
    )
    expect(await readStatus(service, people.admin, id)).toMatchObject({ masked: true })
  })

  test('that are not masked in a file give an administrator no link to it', async ({ service, people }) => {
    const { id } = await stored(service, people.head)
    expect(await readStatus(service, people.admin, id)).toMatchObject({ status: 'done', masked: false, download: null })

    const head = await service.given.user({ role: 'super_admin' })
    const { download } = await readStatus(service, head, id)
    await service.deps.db.updateTable('users').set({ role: 'admin' }).where('user_id', '=', head.userId).execute()
    service.deps.sessions.forget(head.userId)
    expect((await service.app.inject({ url: download!.url })).statusCode).toBe(404)
  })

  test('count as not masked in a file of a version without masks', async ({ service, people }) => {
    const { id } = await stored(service, people.admin)
    await service.deps.db.updateTable('exports').set({ masked: null }).where('export_id', '=', id).execute()
    expect(await readStatus(service, people.admin, id)).toMatchObject({ masked: null, download: null })
  })
})

async function stored({ app, deps }: Service, { headers }: GivenUser, before?: () => Promise<unknown>) {
  const accepted = await app.inject({ method: 'POST', url: `${ADDRESS}${QUERY}`, headers })
  const { id } = accepted.json<{ data: { id: number } }>().data
  await before?.()
  await runExport(deps, id, AbortSignal.timeout(60_000))
  return { id }
}

type Status = { status: string; masked: boolean | null; download: { url: string } | null }

async function readStatus({ app }: Service, { headers }: GivenUser, id: number): Promise<Status> {
  return (await app.inject({ url: `${ADDRESS}/${id}`, headers })).json<{ data: Status }>().data
}

async function readText(service: Service, user: GivenUser, id: number): Promise<string> {
  const { download } = await readStatus(service, user, id)
  return (await service.app.inject({ url: download!.url })).body
}
