import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { drain } from '../../../test/support/drain.ts'
import { fetchJobs } from '../../../test/support/jobs.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { createHandlers } from '../../handlers.ts'
import type { QueueName } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { findInstallationFigures } from '../figures/figures.queries.ts'

const test = base.extend<'panel', Panel>('panel', ({ service }) => givenPanel(service))
const MINUTE_MS = 60_000

describe('an export', () => {
  test('whose job is lost gets another, and ends', async ({ service, panel }) => {
    const id = await askForExport(panel)
    await loseJobs(service)
    await sweep(service.deps)
    const [job] = await fetchJobs(service.deps.queue, 'run-export', 9)
    expect(job?.data).toEqual({ exportId: id })
    await createHandlers(service.deps)['run-export']({ exportId: id }, new AbortController().signal)
    expect(await readExport(panel, id)).toMatchObject({ status: 'done', error: null })
  })

  test('that waits keeps its job; one that is begun four times without an end has failed', async ({
    service,
    panel,
  }) => {
    const id = await askForExport(panel)
    await sweep(service.deps)
    expect(await fetchJobs(service.deps.queue, 'run-export', 9)).toHaveLength(1)
    await service.deps.db.updateTable('exports').set({ attempts: 4 }).where('export_id', '=', id).execute()
    await loseJobs(service)
    await sweep(service.deps)
    expect(await readExport(panel, id)).toMatchObject({ status: 'failed', error: 'STALLED' })
    expect(service.logged()).toContain('work in the background made no progress; it is ended')
  })

  test('without progress raises an alert after ten minutes and is ended after twenty, although its worker is alive', async ({
    service,
    panel,
  }) => {
    const id = await askForExport(panel)
    // The state after a worker hangs: its job is active, and the export was begun.
    await fetchJobs(service.deps.queue, 'run-export', 1)
    const begun = { status: 'running', attempts: 1, progress_at: fromNow(service.deps.clock) } as const
    await service.deps.db.updateTable('exports').set(begun).where('export_id', '=', id).execute()
    await service.clock.setTime(service.clock.now() + 11 * MINUTE_MS)
    await sweep(service.deps)
    expect(await readExport(panel, id)).toMatchObject({ status: 'running' })
    expect(await openAlerts(service)).toEqual(['WorkStalled'])
    const now = fromNow(service.deps.clock)
    expect(await findInstallationFigures(service.deps, now)).toMatchObject({ idle_export: 660, idle_bulk: 0 })
    await service.clock.setTime(service.clock.now() + 10 * MINUTE_MS)
    await sweep(service.deps)
    expect(await readExport(panel, id)).toMatchObject({ status: 'failed', error: 'STALLED', download: null })
    await sweep(service.deps)
    expect(await openAlerts(service)).toEqual([])
  })

  test('that an outage of an hour interrupted continues, and ends', async ({ service, panel }) => {
    const id = await askForExport(panel)
    const begun = { status: 'running', attempts: 1, progress_at: fromNow(service.deps.clock) } as const
    await service.deps.db.updateTable('exports').set(begun).where('export_id', '=', id).execute()
    await loseJobs(service)
    await service.clock.setTime(service.clock.now() + 60 * MINUTE_MS)
    await sweep(service.deps)
    expect(await readExport(panel, id)).toMatchObject({ status: 'running' })
    expect(await fetchJobs(service.deps.queue, 'run-export', 9)).toMatchObject([{ data: { exportId: id } }])
    await createHandlers(service.deps)['run-export']({ exportId: id }, new AbortController().signal)
    await sweep(service.deps)
    expect(await readExport(panel, id)).toMatchObject({ status: 'done', error: null })
    expect(await openAlerts(service)).toEqual([])
  })
})

describe('a change of many accounts', () => {
  test('whose job is lost gets another, and ends', async ({ service, panel }) => {
    const { id, userIds } = await startBulk(service, panel)
    await loseJobs(service)
    await sweep(service.deps)
    await drain(service)
    expect(await readBulk(panel, id)).toMatchObject({ status: 'done', changed: userIds.length })
  })

  test('that fails each time is started four times; then it ends, and lists the accounts that it did not reach', async ({
    service,
    panel,
  }) => {
    const { db, queue } = service.deps
    const { id, userIds } = await startBulk(service, panel)
    const run = createHandlers(service.deps)['run-bulk-change']
    await sql`alter table users rename column status_reason to away`.execute(db)
    for (let attempt = 0; attempt < 4; attempt++)
      await expect(run({ bulkId: id }, new AbortController().signal)).rejects.toThrow(/status_reason/)
    await sql`alter table users rename column away to status_reason`.execute(db)
    expect(await openJobs(service, 'run-bulk-change')).toBe(1)
    await sweep(service.deps)
    expect(await readBulk(panel, id)).toMatchObject({ status: 'running' })
    await loseJobs(service)
    await sweep(service.deps)
    expect(await readBulk(panel, id)).toMatchObject({
      status: 'done',
      changed: 0,
      skipped: { STALLED: userIds.length },
    })
    expect(await fetchJobs(queue, 'run-bulk-change', 9)).toEqual([])
  })
})

async function loseJobs({ deps }: Service): Promise<void> {
  await sql`delete from pgboss.job where name in ('run-export', 'run-bulk-change')`.execute(deps.db)
}

async function openJobs({ deps }: Service, name: QueueName): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pgboss.job where name = ${name} and state < 'completed'`.execute(deps.db)
  return rows[0]?.n ?? 0
}

async function openAlerts({ deps }: Service): Promise<string[]> {
  const open = await deps.db.selectFrom('alerts').select('code').where('resolved_at', 'is', null).execute()
  return open.map(({ code }) => code)
}

async function askForExport(panel: Panel): Promise<number> {
  return (await panel.post('/users-export', {})).json<{ data: { id: number } }>().data.id
}

async function readExport(panel: Panel, id: number): Promise<unknown> {
  return (await panel.get(`/users-export/${id}`)).json<{ data: unknown }>().data
}

async function startBulk({ given }: Service, panel: Panel): Promise<{ id: number; userIds: number[] }> {
  const userIds = [(await given.user()).userId, (await given.user()).userId]
  const prepared = await panel.post('/users-bulk', { action: 'suspend', ids: userIds })
  const { id } = prepared.json<{ data: { id: number } }>().data
  expect((await panel.post(`/users-bulk/${id}/start`)).statusCode).toBe(202)
  return { id, userIds }
}

async function readBulk(panel: Panel, id: number): Promise<unknown> {
  return (await panel.get(`/users-bulk/${id}`)).json<{ data: unknown }>().data
}
