// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { verifyAudit } from '../../administration/audit/verify.ts'

const WINDOW_MS = 10 * 60_000
const LOG = '/api/admin/v1/audit-log'

describe('Denied calls', () => {
  test('that repeat are one entry and a count, however many there are at once', async ({ service, clock }) => {
    const user = await service.given.user()
    const before = await readRows(service)
    const ask = () => service.app.inject({ url: LOG, headers: user.headers })
    const answers = await Promise.all(Array.from({ length: 100 }, ask))
    expect(answers.every(({ statusCode }) => statusCode === 403)).toBe(true)
    expect((await readRows(service)) - before).toBe(1)
    await sweep(service.deps)
    expect((await readRows(service)) - before).toBe(1)

    await clock.setTime(clock.now() + WINDOW_MS)
    await sweep(service.deps)
    await sweep(service.deps)
    const entries = await readEntries(service, user)
    expect(entries).toMatchObject([
      { action: 'denied', entity: LOG, times: 99, actor: { role: 'user' }, ip: null },
      { action: 'denied', entity: LOG, times: 1, ip: '127.0.0.1' },
    ])
    // The next one begins anew.
    await ask()
    expect(await readEntries(service, user)).toMatchObject([{ times: 1 }, { times: 99 }, { times: 1 }])
    expect((await verifyAudit(service.deps)).broken).toBeUndefined()
  })

  test('are counted further when a window is over and nobody has folded it', async ({ service, clock }) => {
    const user = await service.given.user()
    const ask = () => service.app.inject({ url: LOG, headers: user.headers })
    for (let n = 0; n < 3; n++) await ask()
    await clock.setTime(clock.now() + WINDOW_MS)
    await Promise.all([ask(), ask(), ask()])
    expect(await readEntries(service, user)).toMatchObject([{ times: 1 }, { times: 2 }, { times: 1 }])
    await clock.setTime(clock.now() + WINDOW_MS)
    await sweep(service.deps)
    expect((await readEntries(service, user))[0]).toMatchObject({ times: 2 })
  })

  test('inside a handler are among them, with the records that were requested', async ({ service, clock }) => {
    const user = await service.given.user()
    const others = [await service.given.user(), await service.given.user(), await service.given.user()]
    const send = (to: number) =>
      service.app.inject({
        url: `/api/send-test-notification?user_id=${to}&title=T&text=${randomUUID()}`,
        headers: user.headers,
      })
    for (const { userId } of [...others, ...others]) expect((await send(userId)).statusCode).toBe(403)
    await clock.setTime(clock.now() + WINDOW_MS)
    await sweep(service.deps)
    const ids = others.map(({ userId }) => userId)
    const targets = ids.map((id) => `user ${id}`)
    expect(await readEntries(service, user)).toMatchObject([
      {
        action: 'denied',
        entity: 'user',
        entity_id: null,
        times: 5,
        after: { targets: expect.arrayContaining(targets) },
      },
      { action: 'denied', entity: 'user', entity_id: ids[0], times: 1 },
    ])
  })

  test('of an administrator are separated by their subject, those of a user only counted', async ({
    service,
    clock,
  }) => {
    const people = [
      await service.given.user(),
      await service.given.user(),
      await service.given.user({ role: 'analyst' }),
    ]
    const urls = [LOG, '/api/admin/v1/users', '/api/admin/v1/products']
    for (const { headers } of people) for (const url of urls) await service.app.inject({ url, headers })
    const counts = await Promise.all(people.map(async (person) => (await readEntries(service, person)).length))
    expect(counts).toEqual([1, 1, 3])
    await clock.setTime(clock.now() + WINDOW_MS)
    await sweep(service.deps)
    const [last] = await readEntries(service, people[0]!)
    expect(last).toMatchObject({ times: 2, after: { targets: urls.slice(1) } })
  })

  test('that are many name their first twenty targets', async ({ service, clock }) => {
    const user = await service.given.user()
    for (let n = 0; n < 30; n++)
      await service.app.inject({
        url: `/api/send-test-notification?user_id=${900_000 + n}&title=T&text=x`,
        headers: user.headers,
      })
    await clock.setTime(clock.now() + WINDOW_MS)
    await sweep(service.deps)
    const [last] = await readEntries(service, user)
    const targets = Array.from({ length: 20 }, (_, n) => `user ${900_001 + n}`)
    expect(last).toMatchObject({ times: 29, after: { targets } })
  })
})

async function readRows({ deps }: Service): Promise<number> {
  const rows = await deps.db.selectFrom('audit_log').select('audit_id').execute()
  return rows.length
}

async function readEntries(service: Service, { userId }: GivenUser): Promise<Record<string, unknown>[]> {
  const panel = await givenPanel(service)
  return (await panel.get(`/audit-log?actor_id=${userId}&action=denied`)).json().data
}
