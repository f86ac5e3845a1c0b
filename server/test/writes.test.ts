// Slow: every route, called by everybody or in many ways.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from './support/app.ts'
import { allowedHeaders, make } from './support/callers.ts'
import { createCalls, givenWorld } from './support/calls.ts'
import type { Service } from './support/service.ts'

describe('the answer to an Idempotency-Key', () => {
  test('is stored by the transaction of its effect, on every POST that goes by `write`', async ({ service }) => {
    const world = await givenWorld(service)
    const alone: string[] = []
    let shared = 0
    for (const [name, call] of Object.entries(createCalls(world))) {
      const headers = { ...(await allowedHeaders(service, world, name)), 'idempotency-key': name }
      expect.soft((await make(service, call, headers)).statusCode, name).toBe(call.status)
      if (call.method !== 'POST' || call.status === 404) continue
      const tables = await tablesWrittenWith(service, name)
      if (tables.length === 0) alone.push(name)
      else shared++
    }
    expect(alone).toEqual([
      // They have transactions of their own, or store nothing; each route says why.
      'POST /api/v1/login',
      'POST /api/admin/v1/login',
      'POST /api/admin/v1/session',
      'POST /api/v1/login/second-factor',
      'POST /api/admin/v1/session/second-factor',
      'POST /api/v1/account/second-factor',
      'POST /api/v1/account/second-factor/confirm',
      'POST /api/v1/account/second-factor/recovery-codes',
      'POST /api/v1/account/second-factor/disable',
      'POST /api/v1/account/second-factor/show',
      'POST /api/admin/v1/session/passkey/options',
      'POST /api/admin/v1/session/passkey',
      'POST /api/v1/account/passkey-options',
      'POST /api/v1/account/passkeys',
      'POST /api/v1/account/show-passkey/options',
      'POST /api/v1/account/show-passkey',
      'POST /api/admin/v1/browser',
      'POST /api/user/save-phone-token',
      'POST /api/admin/send-notification-all/preview',
      'POST /api/admin/promotional-notifications/:notification_id/progress-link',
      'POST /api/admin/notifications/:notification_id/progress-link',
      'POST /api/admin/push-status/halt',
      'POST /api/admin/push-status/resume',
      // The service sends no mail here, and the token is none.
      'POST /api/v1/password/forgot',
      'POST /api/v1/password/reset',
      'POST /api/v1/account/confirm-email',
      'POST /api/v1/email/confirm',
      'POST /api/v1/account/delete',
      'POST /api/v1/account/restore',
      'POST /api/v1/account/export',
      'POST /api/admin/v1/user/:id/mails',
    ])
    expect(shared).toBeGreaterThan(20)
  })
})

/** The tables that the transaction wrote which stored the answer of a key; none when there is no answer. */
async function tablesWrittenWith({ deps }: Service, key: string): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select xmin::text as writer from idempotency_keys where key = ${key} and answer is not null`.execute(deps.db)
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and (table_schema = 'public' or (table_schema = 'pgboss' and table_name = 'job'))
      and table_name <> 'idempotency_keys'`.execute(deps.db)
  const writer = rows[0]?.writer ?? null
  const found = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name where exists (select from ${sql.table(name)} where xmin::text = ${writer})`,
  )
  const { rows: written } = await sql<{ name: string }>`${sql.join(found, sql` union all `)}`.execute(deps.db)
  return written.map(({ name }) => name)
}
