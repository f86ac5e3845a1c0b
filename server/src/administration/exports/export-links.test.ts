import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { runExport } from './exports.ts'

const ADDRESS = '/api/admin/v1/users-export'

/** An export that is done, and its id. */
async function givenFile({ app, deps }: Service, { headers }: GivenUser): Promise<number> {
  const answer = await app.inject({ method: 'POST', url: `${ADDRESS}?format=ndjson&columns=id`, headers })
  const { id } = answer.json<{ data: { id: number } }>().data
  await runExport(deps, id, AbortSignal.timeout(60_000))
  return id
}

async function readLink({ app }: Service, { headers }: GivenUser, id: number): Promise<string> {
  const answer = await app.inject({ url: `${ADDRESS}/${id}`, headers })
  return answer.json<{ data: { download: { url: string } } }>().data.download.url
}

function downloads({ deps }: Service, id: number) {
  return deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'actor_role'])
    .where('action', '=', 'users.export.download')
    .where('entity_id', '=', id)
    .execute()
}

describe('The link to the file of an export', () => {
  test('works once, also when it is followed ten times at once, and leaves an audit entry of who asked for it', async ({
    service,
    given,
  }) => {
    const admin = await given.admin()
    const id = await givenFile(service, admin)
    const url = await readLink(service, admin, id)
    expect(await downloads(service, id)).toEqual([])
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.app.inject({ url })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) expectError(answer, 404, 'NOT_FOUND')
    expect(await downloads(service, id)).toEqual([{ actor_id: admin.userId, actor_role: 'admin' }])
    const another = await readLink(service, admin, id)
    expect((await service.app.inject({ url: another })).statusCode).toBe(200)
    expect(await downloads(service, id)).toHaveLength(2)
  })

  test('works for no other file, with no letter changed, and not after its time', async ({
    service,
    given,
    clock,
    deps,
  }) => {
    const admin = await given.admin()
    const [id, other] = [await givenFile(service, admin), await givenFile(service, admin)]
    const url = await readLink(service, admin, id)
    const link = new URL(url, 'http://service').searchParams.get('link')!
    const bad = [
      url.replace(`/${id}/`, `/${other}/`),
      ...Array.from({ length: link.length }, (_, at) => url.replace(link, changedAt(link, at))),
      url.replace(link, link.split('.')[0]!),
      url.replace(link, `.${link.split('.')[1]}`),
      url.replace(link, `${Buffer.from('not JSON').toString('base64url')}.x`),
    ]
    for (const one of bad) expectError(await service.app.inject({ url: one }), 404, 'NOT_FOUND')
    await clock.tick(15 * 60_000)
    expectError(await service.app.inject({ url }), 404, 'NOT_FOUND')
    expect(await downloads(service, id)).toEqual([])
    const fresh = await readLink(service, admin, id)
    expect((await service.app.inject({ url: fresh })).statusCode).toBe(200)
    await clock.tick(16 * 60_000)
    await sweep(deps)
    expect(await deps.db.selectFrom('used_links').selectAll().execute()).toEqual([])
  })

  test.for(['logout', 'suspension', 'a lesser role', 'deletion'])(
    'does not work after %s of its holder',
    async (end, { service, given }) => {
      const boss = await givenPanel(service, 'super_admin')
      const admin = await given.admin()
      const id = await givenFile(service, admin)
      const url = await readLink(service, admin, id)
      const change = { id: admin.userId, name: `Ann ${randomUUID()}` }
      const ending = {
        logout: () => service.app.inject({ url: '/api/admin/v1/logout', headers: admin.headers }),
        suspension: () => boss.patch('/user-update', { ...change, status: 'suspended', status_reason: 'rude' }),
        'a lesser role': () => boss.patch('/user-update', { ...change, role: 'moderator' }),
        deletion: () => boss.delete(`/user/${admin.userId}`),
      }[end]!
      expect((await ending()).statusCode).toBe(200)
      expectError(await service.app.inject({ url }), 404, 'NOT_FOUND')
      expect(await downloads(service, id)).toEqual([])
    },
  )
})

/** The text with another letter at a place. */
function changedAt(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'z' : 'A'}${text.slice(at + 1)}`
}
