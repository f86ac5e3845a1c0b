import { createDecipheriv, hkdfSync } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Deps } from '../../src/deps.ts'

/** Every table of ours and of the queue, with its columns. */
type Column = { schema: string; name: string; column: string; type: string }

/**
 * The columns, as `table.column`, in whose rows something of `wanted` stands: in text of any form, in numbers and lists
 * of them, in bytes as they are, and in bytes that are sealed or packed, opened.
 */
export async function columnsWith(deps: Deps, wanted: RegExp): Promise<string[]> {
  const found: string[] = []
  for (const { schema, name, column, type } of await readColumns(deps)) {
    // Read as text, as the driver would turn large numbers and times into something else.
    const value = type === 'bytea' ? sql.ref(column) : sql`${sql.ref(column)}::text`
    const { rows } = await sql<{ value: string | Buffer }>`
      select ${value} as value from ${sql.table(`${schema}.${name}`)} where ${sql.ref(column)} is not null`.execute(
      deps.db,
    )
    const texts = rows.flatMap((row) => (typeof row.value === 'string' ? [row.value] : textsIn(row.value)))
    const opened = `${name}.${column}` === 'idempotency_keys.answer' ? await openAnswers(deps) : []
    if ([...texts, ...opened].some((text) => wanted.test(text)))
      found.push(`${schema === 'public' ? '' : `${schema}.`}${name}.${column}`)
  }
  return found
}

/** The columns of our own tables. */
export async function readColumns({ db }: Deps): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.table_schema as schema, c.table_name as name, c.column_name as column, c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema in ('public', 'pgboss') and t.table_type = 'BASE TABLE'
    order by 1, 2, 3`.execute(db)
  return rows
}

const PERSONS =
  /(?:user_id|user_ids|_by|actor_id|sender_id|owner_id|reporter_id|requester_id|subject_id|recipient_id|assigned_to)$/

/** The columns of ours that are named after a person. */
export async function personColumns(deps: Deps): Promise<string[]> {
  return (await readColumns(deps))
    .filter(({ schema, column, type }) => schema === 'public' && PERSONS.test(column) && type !== 'text')
    .map(({ name, column }) => `${name}.${column}`)
}

/** The texts in bytes: the bytes themselves, and each file of a packed worksheet. */
function textsIn(bytes: Buffer): string[] {
  const texts = [bytes.toString('utf8')]
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return texts
  for (let at = 0; (at = bytes.indexOf('PK\u0003\u0004', at, 'latin1')) >= 0; at += 4) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    texts.push(inflateRawSync(bytes.subarray(start), { finishFlush: 2 }).toString('utf8'))
  }
  return texts
}

/** The kept answers, unsealed. */
async function openAnswers({ db, config }: Deps): Promise<string[]> {
  const rows = await db.selectFrom('idempotency_keys').selectAll().where('answer', 'is not', null).execute()
  const key = Buffer.from(hkdfSync('sha256', config.JWT_SECRET, '', 'idempotency answer', 32))
  return rows
    .filter((row) => row.answer!.length > 0)
    .map(({ answer, caller, route, key: name }) => {
      const decipher = createDecipheriv('aes-256-gcm', key, answer!.subarray(0, 12))
      decipher.setAAD(Buffer.from(JSON.stringify([caller, route, name]))).setAuthTag(answer!.subarray(-16))
      return decipher.update(answer!.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
    })
}
