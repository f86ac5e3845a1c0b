import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { beginExport, insertChunk, finishExport } from './exports.queries.ts'
import { runExport } from './exports.ts'
import { purgeUsers } from '../accounts/purge.ts'
import { inTransaction } from '../../platform/db/transaction.ts'

type Listed = { data: { id: number; status: string; error: string | null; requester_name: string; bytes: number }[] }

async function asked(panel: Panel, body: Record<string, unknown> = {}): Promise<number> {
  return (await panel.post('/users-export', body)).json<{ data: { id: number } }>().data.id
}

function run({ deps }: Service, id: number): Promise<void> {
  return runExport(deps, id, new AbortController().signal)
}

describe('Exports in the background', () => {
  test('are listed with who asked for them, the newest first, until they expire', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    for (const format of ['csv', 'ndjson']) await run(service, await asked(panel, { format }))
    const { data } = (await panel.get('/users-exports')).json<Listed>()
    expect(data).toMatchObject([
      { format: 'ndjson', status: 'done', requester_name: panel.user.name },
      { format: 'csv', status: 'done', rows: expect.any(Number) },
    ])
    expect((await panel.get('/users-exports?per_page=1&page=2')).json<Listed>().data).toEqual([data[1]])
    await deps.db
      .updateTable('exports')
      .set({ expires_at: new Date(0) })
      .execute()
    expect((await panel.get('/users-exports')).json<Listed>().data).toEqual([])
  })

  test('can be cancelled while they wait: the job then makes no file', async ({ service }) => {
    const panel = await givenPanel(service)
    const id = await asked(panel)
    expect((await panel.post(`/users-export/${id}/cancel`)).json()).toMatchObject({ data: { error: 'CANCELLED' } })
    await run(service, id)
    const stored = (await panel.get(`/users-export/${id}`)).json()
    expect(stored).toMatchObject({ data: { status: 'failed', error: 'CANCELLED', bytes: 0, download: null } })
    expect((await panel.post(`/users-export/${id}/cancel`)).json()).toMatchObject({ code: 'INVALID_STATE' })
    expect((await panel.post('/users-export/999999/cancel')).statusCode).toBe(404)
  })

  test('are deleted with a purged person whom their search finds, by words in any order, accents aside, or a number', async ({
    service,
    deps,
  }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user({ name: 'Zoë Quandt' })
    const searches = ['Quandt Zoe', 'quandt', '0151 5550199', 'nobody']
    const ids: number[] = []
    for (const search of searches) ids.push(await asked(panel, { search, deleted: 'include' }))
    const now = new Date(service.clock.now())
    await deps.db
      .updateTable('users')
      .set({ phone: '+49 151 5550199', deleted_at: now, purge_after: now })
      .where('user_id', '=', userId)
      .execute()
    expect(await purgeUsers(deps, new AbortController().signal)).toBe(1)
    const left = deps.db.selectFrom('exports').select('export_id').where('export_id', 'in', ids)
    expect(await left.execute()).toEqual([{ export_id: ids[3] }])
  })

  test('can be cancelled while they run: no piece is stored afterwards, and written pieces are deleted', async ({
    service,
  }) => {
    const { db, clock } = service.deps
    const panel = await givenPanel(service)
    const id = await asked(panel)
    const now = new Date(clock.now())
    const piece = (seq: number, attempt = 2) =>
      inTransaction(db, (tx) => insertChunk(tx, { exportId: id, seq, bytes: Buffer.from('row'), attempt, now }))
    for (const attempt of [1, 2])
      expect(await inTransaction(db, (tx) => beginExport(tx, { exportId: id, masked: false, now }))).toBe(attempt)
    // The worker of the first attempt still lives.
    expect(await piece(0, 1)).toBe(false)
    expect(await piece(0)).toBe(true)
    expect((await panel.post(`/users-export/${id}/cancel`)).statusCode).toBe(200)
    expect(await piece(1)).toBe(false)
    await finishExport(db, { exportId: id, attempt: 2 }, { status: 'done', sha256: 'x', finished_at: now })
    expect(await db.selectFrom('export_chunks').select('seq').where('export_id', '=', id).execute()).toEqual([])
    expect((await panel.get(`/users-export/${id}`)).json()).toMatchObject({ data: { status: 'failed' } })
    const log = (await panel.get(`/audit-log?entity=export&entity_id=${id}`)).json<{ data: { action: string }[] }>()
    expect(log.data.map(({ action }) => action)).toEqual(['users.export.cancel', 'users.export'])
  })
})
