import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSources, RULES, surveyOf } from './support/architecture.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the house', () => {
  test('stands as it was drawn', async () => {
    const { files, edges, tables, faults } = surveyOf(await readSources(ROOT))
    expect(files).toBeGreaterThan(50)
    expect(edges).toBeGreaterThan(150)
    expect(tables).toBeGreaterThan(10)
    expect(faults).toEqual([])
  })
})

type Planted = [rule: (typeof RULES)[number], path: string, text: string]

const FEATURE = 'server/src/features/a'

const PLANTED: Planted[] = [
  ['layers', `${FEATURE}/a.routes.ts`, `import { x } from '../b/b.queries.ts'`],
  ['layers', `${FEATURE}/a.routes.ts`, `import { x } from '../b/b.routes.ts'`],
  ['layers', `${FEATURE}/a.routes.ts`, `import { x } from '../../push/pace.ts'`],
  ['layers', `${FEATURE}/a.routes.ts`, `import { inTransaction } from '../../db/transaction.ts'`],
  ['layers', `${FEATURE}/a.ts`, `import { x } from '../b/b.queries.ts'`],
  ['layers', `${FEATURE}/a.ts`, `import { x } from '../../http/envelope.ts'`],
  ['layers', `${FEATURE}/a.ts`, `import { queryBuilder, type Db } from '../../db/connect.ts'`],
  ['layers', `${FEATURE}/a.ts`, `import { x } from './a.routes.ts'`],
  ['layers', `${FEATURE}/a.ts`, `import {\n  type X,\n  y,\n} from '../../jobs/work.ts'`],
  ['layers', `${FEATURE}/a.ts`, `const { x } = await import('../../app.ts')`],
  ['layers', `${FEATURE}/a.queries.ts`, `import { x } from './a.ts'`],
  ['layers', `${FEATURE}/a.queries.ts`, `import { x } from '../b/b.queries.ts'`],
  ['layers', 'server/src/http/access.ts', `import { x } from '../features/auth/auth.ts'`],
  ['layers', 'server/src/jobs/queue.ts', `import { x } from '../push/pace.ts'`],
  ['layers', 'server/src/db/connect.ts', `import '../jobs/queue.ts'`],
  ['layers', 'server/src/shared/clock.ts', `import { x } from '../db/connect.ts'`],
  ['layers', 'server/src/config.ts', `import { x } from './db/connect.ts'`],
  ['packages', `${FEATURE}/a.ts`, `import { sql } from 'kysely'`],
  ['packages', `${FEATURE}/a.routes.ts`, `import { sql, type Selectable } from 'kysely'`],
  ['packages', `${FEATURE}/a.ts`, `import Fastify from 'fastify'`],
  ['packages', 'server/src/push/expo.ts', `import { Type } from 'typebox'`],
  ['packages', `${FEATURE}/a.queries.ts`, `import { Pool } from 'pg'`],
  ['packages', `${FEATURE}/a.ts`, `import { PgBoss } from 'pg-boss'`],
  ['features', 'server/src/push/expo.ts', `import type { X } from '../features/a/a.ts'`],
  ['features', 'server/src/jobs/work.ts', `import { x } from '../features/a/a.ts'`],
  ['entries', `${FEATURE}/a.ts`, `import type { X } from '../../worker.ts'`],
  ['halves', 'server/src/push/expo.ts', `import type { X } from '../../../simulator/src/server.ts'`],
  ['halves', 'simulator/src/server.ts', `import { x } from '../../server/src/shared/clock.ts'`],
  ['environment', 'server/src/deps.ts', `const port = process.env['PORT']`],
  ['writers', `${FEATURE}/c.queries.ts`, `sql\`update  things t set x = 1\``],
  ['writers', `${FEATURE}/c.queries.ts`, `db.deleteFrom('things').execute()`],
  ['writers', `${FEATURE}/c.queries.ts`, `sql\`\n  insert into\n things (x) values (1)\``],
  ['writers', `${FEATURE}/a.ts`, `tx.updateTable('others')`],
  ['default export', `${FEATURE}/a.ts`, `export default 1`],
  ['default export', `${FEATURE}/a.ts`, `export { a as default }`],
  ['barrel', `${FEATURE}/a.ts`, `export * from './b.ts'`],
  ['barrel', `${FEATURE}/a.ts`, `export {\n  a,\n  type B,\n} from './b.ts'`],
  ['any', `${FEATURE}/a.ts`, `export function a(b: any): void {}`],
  ['any', `${FEATURE}/a.ts`, `const a = b as any`],
  ['any', 'simulator/src/a.ts', `const a: Promise<any> = b`],
  ['class', `${FEATURE}/a.ts`, `export class Sender {}`],
  ['class', 'server/test/support/a.ts', `const Sender = class {}`],
  ['module state', `${FEATURE}/a.ts`, `let count = 0`],
  ['length', `${FEATURE}/a.ts`, 'const a = 1\n'.repeat(251)],
  ['name', `${FEATURE}/helpers.ts`, ''],
  ['name', 'server/test/support/fakeThing.ts', ''],
]

describe('a check of the house', () => {
  const healthy = {
    'server/src/db/connect.ts': `import { Kysely } from 'kysely'`,
    'server/src/app.ts': `import Fastify from 'fastify'\nimport { x } from './features/a/a.routes.ts'`,
    [`${FEATURE}/a.routes.ts`]: `import { Type } from 'typebox'\nimport { a } from './a.ts'\nimport { c } from '../b/b.ts'`,
    [`${FEATURE}/a.ts`]: `import type { Deps } from '../../deps.ts'\nimport { a } from './a.queries.ts'\n// any let, class\n`,
    [`${FEATURE}/a.queries.ts`]: `import { sql } from 'kysely'\nsql\`update things set x = 1 where id = any(1)\``,
    [`${FEATURE}/a.test.ts`]: `import { x } from '../../app.ts'\nlet state = 0\ndb.insertInto('things')`,
    'server/test/support/service.ts': `import { x } from '../../../simulator/src/server.ts'`,
  }

  test('finds nothing where there is nothing', () => {
    expect(surveyOf(new Map(Object.entries(healthy)))).toEqual({ files: 7, edges: 11, tables: 1, faults: [] })
  })

  test.for(PLANTED)('finds a planted fault of %s in %s (%#)', ([rule, path, text]) => {
    const { faults } = surveyOf(new Map(Object.entries({ ...healthy, [path]: text })))
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${rule}: .*`)))
  })

  test('is proven for every rule', () => {
    expect(new Set(PLANTED.map(([rule]) => rule))).toEqual(new Set(RULES))
  })
})
