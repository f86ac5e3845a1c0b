import { sql, type RawBuilder } from 'kysely'
import { copyOut, type CopyOut, type CopySource } from '../../db/copy-out.ts'
import { userConditions, type UserFilter } from './users-filter.queries.ts'

type Kind = 'text' | 'moment' | 'plain'

/** The columns of an export, in its order, with what each is. */
const COLUMNS = {
  id: ['plain', sql`u.user_id`],
  username: ['text', sql`u.username`],
  email: ['text', sql`u.email`],
  name: ['text', sql`u.name`],
  role: ['plain', sql`u.role`],
  status: ['plain', sql`u.status`],
  is_test_user: ['plain', sql`u.is_test_user`],
  email_verified: ['plain', sql`(u.email_verified_at is not null)`],
  phone: ['text', sql`u.phone`],
  city: ['text', sql`u.city`],
  last_active_at: ['moment', sql`u.last_active_at`],
  created_at: ['moment', sql`u.created_at`],
  updated_at: ['moment', sql`u.updated_at`],
  deleted_at: ['moment', sql`u.deleted_at`],
} as const satisfies Record<string, [Kind, RawBuilder<unknown>]>

export type ExportColumn = keyof typeof COLUMNS

export const EXPORT_COLUMNS = Object.keys(COLUMNS) as [ExportColumn, ...ExportColumn[]]

/** How a row is written: as the fields of a CSV line, as one JSON object, or as a row of a worksheet. */
export type RowShape = 'csv' | 'json' | 'xml'

const SHAPES: Record<RowShape, (columns: ExportColumn[]) => RawBuilder<unknown>> = {
  csv: (columns) => list(columns, cellOf),
  json: (columns) =>
    sql`json_build_object(${sql.join(columns.map((name) => sql`${sql.lit(name)}, ${COLUMNS[name][1]}`))})`,
  xml: (columns) => sql`'<row>' || ${sql.join(columns.map(elementOf), sql` || `)} || '</row>'`,
}

/** Streams the users that a filter finds, in the order of their ids, out of one snapshot; counted before. */
export function copyUsersOut(
  source: CopySource,
  { filter, columns, shape }: { filter: UserFilter; columns: ExportColumn[]; shape: RowShape },
): Promise<CopyOut> {
  const found = sql`from users u where ${userConditions(filter)}`
  return copyOut(source, {
    rows: sql`select ${SHAPES[shape](columns)} ${found} order by u.user_id`,
    counted: sql`select 1 ${found}`,
    format: shape === 'csv' ? 'csv' : 'lines',
  })
}

function list(columns: ExportColumn[], shape: (name: ExportColumn) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql`${shape(name)} as ${sql.ref(name)}`))
}

// Measured, for a million rows: 0.4 s for the test of four texts by their first character, 0.7 s by a pattern.
const FORMULA_STARTS = sql`array['=', '+', '-', '@', e'\t', e'\r', e'\n', '＝', '＋', '－', '＠']`

/** The cell of a CSV file. A text that a spreadsheet would run begins with an apostrophe instead. */
function cellOf(name: ExportColumn): RawBuilder<unknown> {
  const [kind, value] = COLUMNS[name]
  if (kind === 'moment') return isoOf(value)
  if (kind === 'plain') return value
  return sql`case when left(${value}, 1) = any(${FORMULA_STARTS}) then '''' || ${value} else ${value} end`
}

/** The cell of a worksheet; an absent value is an empty cell. */
function elementOf(name: ExportColumn): RawBuilder<unknown> {
  const [kind, value] = COLUMNS[name]
  if (name === 'id') return sql`'<c><v>' || ${value} || '</v></c>'`
  const text = kind === 'moment' ? isoOf(value) : kind === 'text' ? escapedXml(value) : sql`${value}::text`
  return sql`coalesce('<c t="inlineStr"><is><t xml:space="preserve">' || ${text} || '</t></is></c>', '<c/>')`
}

/** ISO 8601; to_json is the fastest way to it. */
function isoOf(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(to_json(${value}) #>> '{}')`
}

/** Text within XML: markup escaped, line ends as references, and what XML 1.0 cannot hold left out. */
function escapedXml(value: RawBuilder<unknown>): RawBuilder<unknown> {
  const plain = sql`regexp_replace(${value}, e'[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]', '', 'g')`
  const marked = sql`replace(replace(replace(${plain}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`
  return sql`replace(replace(${marked}, e'\n', '&#10;'), e'\r', '&#13;')`
}
