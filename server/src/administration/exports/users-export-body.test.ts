// Slow: many costly requests, or long data.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { runExport } from './exports.ts'

const ADDRESS = '/api/admin/v1/users-export'

describe('An export in the background', () => {
  test('takes a body with filters, columns and format', async ({ service }) => {
    const admin = await service.given.admin()
    const { userId, name } = await service.given.user({ name: 'Background Ada' })
    await service.given.user({ name: 'Background Ada too', isTestUser: true })
    const body = {
      format: 'ndjson',
      columns: ['name', 'id'],
      search: 'background',
      status: ['active', 'inactive'],
      is_test_user: false,
      start_date: '1990-01-01',
    }
    expect(await stored(service, admin, body)).toBe(`{"name" : "${name}", "id" : ${userId}}\n`)
  })

  test.for<[Record<string, unknown>, string]>([
    [{ stauts: ['banned'] }, 'stauts'],
    [{ status: 'banned' }, 'status'],
    [{ status: ['gone'] }, 'status.0'],
    [{ columns: ['id', 'id'] }, 'columns'],
    [{ columns: ['password_hash'] }, 'columns.0'],
    [{ columns: [] }, 'columns'],
    [{ format: 'pdf' }, 'format'],
    [{ bom: true, format: 'json' }, 'bom'],
    [{ start_date: '2026-02-30' }, 'start_date'],
  ])('refuses the body %j', async ([payload, field], { service }) => {
    const { headers } = await service.given.admin()
    const answer = await service.app.inject({ method: 'POST', url: ADDRESS, headers, payload })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]])
  })

  test('takes filters only from the body: a query parameter is 422', async ({ service }) => {
    const { headers } = await service.given.admin()
    const call = { method: 'POST', url: `${ADDRESS}?status=banned`, headers } as const
    const answer = await service.app.inject({ ...call, payload: { format: 'xlsx' } })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['status']])
    expect((await service.app.inject({ ...call, payload: {} })).statusCode).toBe(202)
  })
})

async function stored({ app, deps }: Service, { headers }: GivenUser, payload: object): Promise<string> {
  const accepted = await app.inject({ method: 'POST', url: ADDRESS, headers, payload })
  expect(accepted.statusCode).toBe(202)
  const { id } = accepted.json().data as { id: number }
  await runExport(deps, id, AbortSignal.timeout(60_000))
  const status = await app.inject({ url: `${ADDRESS}/${id}`, headers })
  return (await app.inject({ url: status.json().data.download.url })).body
}
