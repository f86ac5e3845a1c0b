// Slow: several services for one test.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startService } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { inWork } from '../work/work.ts'
import { forgetInAudit, recordAuditAlone, THE_SERVICE } from './audit.ts'
import { recordRepeated } from './repeats.ts'
import { verifyAudit } from '../../administration/audit/verify.ts'
import { runSql } from '../../../test/support/run-sql.ts'

const ACTOR = { userId: 1, role: 'admin', ip: '192.0.2.7', userAgent: null, requestId: null } as const

test('with the role of docs/operations.md the service writes its log and cannot change it', async () => {
  const { url, asSuperuser } = await databaseOfItsOwnRole()
  const first = await startService({ DATABASE_URL: url })
  await recordAuditAlone(first.deps, ACTOR, { action: 'login' })
  await first.close()
  await asSuperuser(await documentedStatements())

  const { deps, close } = await startService({ DATABASE_URL: url })
  onTestFinished(close)
  for (let n = 0; n < 3; n++) await recordAuditAlone(deps, ACTOR, { action: 'login' })
  await recordRepeated(deps, ACTOR, { action: 'denied', entity: 'x' })
  await inWork(deps, THE_SERVICE, (work) => forgetInAudit(work, [ACTOR.userId]))
  await sweep(deps)
  expect(await verifyAudit(deps)).toMatchObject({ entries: 6, broken: undefined })

  for (const statement of [
    `update audit_log set action = 'x'`,
    'delete from audit_log',
    'truncate audit_log cascade',
    `update audit_details set content = '{}'`,
    'delete from audit_head',
    'delete from audit_keys',
    'alter table audit_log disable trigger all',
    'drop trigger audit_log_is_appended_to on audit_log',
    'drop table audit_details',
    'drop table audit_log cascade',
    'drop schema public cascade',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'set session_replication_role = replica',
  ])
    await expect(deps.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  expect((await verifyAudit(deps)).broken).toBeUndefined()
})

/** The statements of the page, for the roles of this test. */
async function documentedStatements(): Promise<string> {
  const page = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
  const [, statements = ''] = /```sql\n(create role swapbell_audit.*?)```/s.exec(page) ?? []
  expect(statements).toContain('grant select, insert on audit_log')
  return statements
}

async function run(statements: string, database?: string): Promise<void> {
  const url = new URL(inject('postgresUrl'))
  if (database !== undefined) url.pathname = `/${database}`
  await runSql(url.href, ...statements.split(';').filter((text) => text.trim() !== ''))
}

/** A database that belongs to a role without other rights, as that of a service does. */
async function databaseOfItsOwnRole() {
  const [name, password] = [`owner_${randomUUID().slice(0, 8)}`, randomBytes(12).toString('hex')]
  await run(`create role ${name} login password '${password}'; create database ${name} owner ${name}`)
  onTestFinished(() => run(`drop database ${name} with (force); drop role if exists ${name}_audit; drop role ${name}`))
  const url = new URL(inject('postgresUrl'))
  url.username = name
  url.password = password
  url.pathname = `/${name}`
  return {
    url: url.href,
    asSuperuser: (statements: string) => run(statements.replaceAll('swapbell', name), name),
  }
}
