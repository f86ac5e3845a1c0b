import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RULES } from './support/architecture-rules.ts'
import { readSources, survey } from './support/architecture.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the architecture', () => {
  test('follows its rules', async () => {
    const { files, edges, tables, faults } = survey(await readSources(ROOT))
    expect(files).toBeGreaterThan(50)
    expect(edges).toBeGreaterThan(150)
    expect(tables).toBeGreaterThan(10)
    expect(faults).toEqual([])
  })
})

type Planted = [rule: (typeof RULES)[number], path: string, text: string]

const ROOM = 'server/src/marketplace/a'

const PLANTED: Planted[] = [
  ['layers', `${ROOM}/a.routes.ts`, `import { x } from '../b/b.queries.ts'`],
  ['layers', `${ROOM}/a.routes.ts`, `import { x } from '../b/b.routes.ts'`],
  ['layers', `${ROOM}/a.routes.ts`, `import { inTransaction } from '../../platform/db/transaction.ts'`],
  ['layers', `${ROOM}/a.ts`, `import { x } from '../b/b.queries.ts'`],
  ['layers', `${ROOM}/a.ts`, `import { x } from '../../push/records/messages.queries.ts'`],
  ['layers', 'server/src/push/inbox/inbox.ts', `import { x } from '../campaigns/campaigns.queries.ts'`],
  ['layers', `${ROOM}/a.ts`, `import { x } from '../../platform/http/envelope.ts'`],
  ['layers', `${ROOM}/a.ts`, `import { x } from '../../platform/lists/listing.ts'`],
  ['layers', `${ROOM}/a.ts`, `import { queryBuilder, type Db } from '../../platform/db/connect.ts'`],
  ['layers', `${ROOM}/a.ts`, `import { x } from './a.routes.ts'`],
  ['layers', `${ROOM}/a.ts`, `import { toView } from './a.views.ts'`],
  ['layers', `${ROOM}/a.routes.ts`, `import { x } from '../../push/b/b.views.ts'`],
  ['layers', `${ROOM}/a.ts`, `import {\n  type X,\n  y,\n} from '../../platform/jobs/run-jobs.ts'`],
  ['layers', `${ROOM}/a.ts`, `const { x } = await import('../../app.ts')`],
  ['layers', `${ROOM}/a.queries.ts`, `import { x } from './a.ts'`],
  ['layers', `${ROOM}/a.queries.ts`, `import { x } from '../b/b.queries.ts'`],
  ['layers', 'server/src/platform/http/access.ts', `import { x } from '../../identity/accounts/accounts.ts'`],
  ['layers', 'server/src/platform/jobs/queue.ts', `import { x } from '../../push/provider/pace.ts'`],
  ['layers', 'server/src/platform/db/connect.ts', `import '../jobs/queue.ts'`],
  ['layers', 'server/src/platform/shared/clock.ts', `import { x } from '../db/connect.ts'`],
  ['layers', 'server/src/platform/config/config.ts', `import { x } from '../db/connect.ts'`],
  ['packages', `${ROOM}/a.ts`, `import { sql } from 'kysely'`],
  ['packages', `${ROOM}/a.routes.ts`, `import { sql, type Selectable } from 'kysely'`],
  ['packages', `${ROOM}/a.ts`, `import Fastify from 'fastify'`],
  ['packages', 'server/src/push/provider/expo/expo.ts', `import { Type } from 'typebox'`],
  ['packages', `${ROOM}/a.queries.ts`, `import { Pool } from 'pg'`],
  ['packages', `${ROOM}/a.ts`, `import { PgBoss } from 'pg-boss'`],
  ['packages', 'server/src/push/status/a.ts', `import { Counter } from 'prom-client'`],
  ['quarters', 'server/src/push/provider/expo/expo.ts', `import type { X } from '../../../marketplace/a/a.ts'`],
  ['quarters', 'server/src/platform/jobs/run-jobs.ts', `import type { X } from '../../identity/accounts/accounts.ts'`],
  ['quarters', 'server/src/platform/http/access.ts', `import type { X } from '../../push/devices/devices.ts'`],
  ['quarters', 'server/src/platform/audit/audit.ts', `import type { Deps } from '../../deps.ts'`],
  ['quarters', `${ROOM}/a.ts`, `import { x } from '../../administration/users/users.ts'`],
  ['circle', 'server/src/marketplace/b/b.ts', `import type { X } from '../a/a.ts'`],
  ['circle', 'server/src/marketplace/b/b.ts', `import { x } from '../c/c.ts'`],
  ['quarters', `${ROOM}/a.ts`, `import type { X } from '../../worker.ts'`],
  ['quarters', `${ROOM}/a.ts`, `import type { Deps } from '../../deps.ts'`],
  ['quarters', 'server/src/administration/a/a.ts', `import type { X } from '../../commands/manage.ts'`],
  ['quarters', 'server/src/service.ts', `import { x } from './commands/commands.ts'`],
  ['file circle', `${ROOM}/a.queries.ts`, `import { sql } from 'kysely'\nimport type { X } from './a.ts'`],
  ['file circle', 'server/src/app.ts', `import type { X } from './app-parts.ts'`],
  ['deps', `${ROOM}/a.ts`, `type SwapDeps = { db: Db }`],
  ['deps', `${ROOM}/a.ts`, `export interface SwapDeps {}`],
  ['deps', `${ROOM}/a.ts`, `export type PushDeps = {}`],
  [
    'halves',
    'server/src/push/provider/expo/expo.ts',
    `import type { X } from '../../../../../simulator/src/server.ts'`,
  ],
  ['halves', 'server/src/service.ts', `const { x } = await import('../../tools/demo/demo.ts')`],
  ['halves', 'server/src/service.ts', `import { x } from '../../local-postgres/src/embedded.ts'`],
  ['halves', 'simulator/src/server.ts', `import { x } from '../../server/src/platform/shared/clock.ts'`],
  ['environment', 'server/src/deps.ts', `const port = process.env['PORT']`],
  ['writers', `${ROOM}/c.queries.ts`, `sql\`update  things t set x = 1\``],
  ['writers', `${ROOM}/c.queries.ts`, `db.deleteFrom('things').execute()`],
  ['writers', `${ROOM}/c.queries.ts`, `sql\`\n  insert into\n things (x) values (1)\``],
  ['writers', `${ROOM}/a.ts`, `tx.updateTable('others')`],
  ['write', `${ROOM}/a.routes.ts`, `app.post('/a', {}, async () => like())\napp.put('/b', {}, () => write())`],
  ['write', `${ROOM}/a.routes.ts`, `app.get('/a', { effect: 'write' }, async () => open())`],
  [
    'write',
    `${ROOM}/a.routes.ts`,
    `registerRoute(app, 'POST /a', {})\nregisterChange(app, deps, 'PUT /b', {})\nwrite()`,
  ],
  ['write', `${ROOM}/a.routes.ts`, `registerRoute(app, 'GET /a', { effect: 'write' })`],
  ['write', `${ROOM}/a.routes.ts`, `app.put('/b', {}, () => write())\nrequest.idempotency?.completeIn(tx)`],
  ['default export', `${ROOM}/a.ts`, `export default 1`],
  ['default export', `${ROOM}/a.ts`, `export { a as default }`],
  ['barrel', `${ROOM}/a.ts`, `export * from './b.ts'`],
  ['barrel', `${ROOM}/a.ts`, `export {\n  a,\n  type B,\n} from './b.ts'`],
  ['any', `${ROOM}/a.ts`, `export function a(b: any): void {}`],
  ['any', `${ROOM}/a.ts`, `const a = b as any`],
  ['any', 'simulator/src/a.ts', `const a: Promise<any> = b`],
  ['class', `${ROOM}/a.ts`, `export class Sender {}`],
  ['class', 'server/test/support/a.ts', `const Sender = class {}`],
  ['module state', `${ROOM}/a.ts`, `let count = 0`],
  ['length', `${ROOM}/a.ts`, 'const a = 1\n'.repeat(251)],
  ['length', `${ROOM}/a.routes.ts`, `export function register() {\n${'  a()\n'.repeat(64)}}\n`],
  [
    'parameters',
    `${ROOM}/a.ts`,
    `export async function a(b: B, c: Map<D, E>, { f }: G, h = 1, i?: J): Promise<void> {}`,
  ],
  [
    'parameters',
    `${ROOM}/a.ts`,
    `export type A = { b(c: C, d: D): void; e: (f: F, g: G, h: H, i: I, ...j: J[]) => void }`,
  ],
  ['width', `${ROOM}/a.ts`, `// ${'wide '.repeat(24)}`],
  ['name', `${ROOM}/helpers.ts`, ''],
  ['name', 'server/test/support/fakeThing.ts', ''],
]

describe('the check of the architecture', () => {
  const healthy = {
    'server/src/platform/db/connect.ts': `import { Kysely } from 'kysely'`,
    'server/src/app.ts': `import Fastify from 'fastify'\nimport { x } from './marketplace/a/a.routes.ts'`,
    'server/src/app-parts.ts': `import { x } from './app.ts'`,
    'server/src/push/deps.ts': `export type PushDeps = {}`,
    'server/src/trial.ts': `const { x } = await import('../../tools/demo/demo.ts')`,
    'server/src/platform/http/access.ts': `import type { Principal } from '../rights/principal.ts'`,
    [`${ROOM}/a.routes.ts`]: `import { Type } from 'typebox'\nimport { a } from './a.ts'\nimport { c } from '../b/b.ts'`,
    [`${ROOM}/a.ts`]: `import type { PushDeps } from '../../push/deps.ts'\nimport { a } from './a.queries.ts'\n// any let, class\n`,
    [`${ROOM}/a.queries.ts`]: `import { sql } from 'kysely'\nsql\`update things set x = 1 where id = any(1)\``,
    [`${ROOM}/a.test.ts`]: `import { x } from '../../app.ts'\nlet state = 0\ndb.insertInto('things')`,
    'server/src/marketplace/c/c.ts': `import { x } from '../a/a.ts'`,
    'server/test/support/service.ts': `import { x } from '../../../simulator/src/server.ts'`,
  }

  test('finds no fault in sound files', () => {
    expect(survey(new Map(Object.entries(healthy)))).toEqual({ files: 12, edges: 15, tables: 1, faults: [] })
  })

  test.for([
    ['server/src/push/full', 18],
    ['server/src', 9],
  ] as const)('finds too many files in %s', ([room, count]) => {
    const { faults } = survey(new Map(Array.from({ length: count }, (_, n) => [`${room}/file-${n}.ts`, ''])))
    expect(faults).toEqual([`room: ${room} has ${count} source files`])
  })

  test.for(PLANTED)('finds a planted fault of %s in %s (%#)', ([rule, path, text]) => {
    const { faults } = survey(new Map(Object.entries({ ...healthy, [path]: text })))
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${rule}: `)))
  })

  test('has a planted fault for every rule', () => {
    expect(new Set([...PLANTED.map(([rule]) => rule), 'room'])).toEqual(new Set(RULES))
  })
})
