import { sql, type RawBuilder } from 'kysely'
import { copyOut, type CopyOut, type CopySource } from '../../platform/db/copy-out.ts'
import { DATE_STYLE, FORMULA_INSIDE, FORMULA_STARTS, PHONE_NUMBER } from '../../platform/shared/spreadsheet.ts'
import { userConditions, type UserFilter } from '../users/users-list.queries.ts'

type Kind = 'number' | 'text' | 'word' | 'boolean' | 'moment'

/** A `word` is one of our own, which needs no escaping. */
const COLUMNS = {
  id: ['number', sql`u.user_id`],
  username: ['text', sql`u.username`],
  email: ['text', sql`u.email`],
  name: ['text', sql`u.name`],
  role: ['word', sql`u.role`],
  status: ['word', sql`u.status`],
  is_test_user: ['boolean', sql`u.is_test_user`],
  email_verified: ['boolean', sql`(u.email_verified_at is not null)`],
  phone: ['text', sql`u.phone`],
  city: ['text', sql`u.city`],
  last_active_at: ['moment', sql`u.last_active_at`],
  created_at: ['moment', sql`u.created_at`],
  updated_at: ['moment', sql`u.updated_at`],
  deleted_at: ['moment', sql`u.deleted_at`],
} as const satisfies Record<string, [Kind, RawBuilder<unknown>]>

export type ExportColumn = keyof typeof COLUMNS

export const EXPORT_COLUMNS = Object.keys(COLUMNS) as [ExportColumn, ...ExportColumn[]]

/** The first character and the last part, or the last two digits; a value too short for that is hidden whole. */
const MASKED: Partial<Record<ExportColumn, RawBuilder<unknown>>> = {
  email: sql`(left(u.email, 1) || '***@***' || coalesce(substring(u.email from '\\.[^.@]+$'), ''))`,
  phone: sql`(case when u.phone is null then null when length(u.phone) < 6 then '***'
    else '***' || right(u.phone, 2) end)`,
}

type RowShape = 'csv' | 'json' | 'xml'

type Read = { name: ExportColumn; kind: Kind; value: RawBuilder<unknown> }

const SHAPES: Record<RowShape, (columns: Read[]) => RawBuilder<unknown>> = {
  csv: (columns) => sql.join(columns.map((column) => sql`${toCell(column)} as ${sql.ref(column.name)}`)),
  json: (columns) =>
    sql`json_build_object(${sql.join(columns.map((column) => sql`${sql.lit(column.name)}, ${toValue(column)}`))})`,
  xml: (columns) => sql`'<row>' || ${sql.join(columns.map(toElement), sql` || `)} || '</row>'`,
}

export type UsersToCopy = { filter: UserFilter; columns: ExportColumn[]; shape: RowShape; isMasked: boolean }

/** Users come in the order of their ids, from one snapshot (decision C8). `rows` is known before the first row, and
 * the stream fails if the number differs. */
export function copyUsersOut(source: CopySource, { filter, columns, shape, isMasked }: UsersToCopy): Promise<CopyOut> {
  const found = sql`from users u where ${userConditions(filter)}`
  return copyOut(source, {
    rows: sql`select ${SHAPES[shape](columns.map((name) => toColumnRead(name, isMasked)))} ${found} order by u.user_id`,
    counted: sql`select 1 ${found}`,
    format: shape === 'csv' ? 'csv' : 'lines',
    quoted: columns.filter((name) => COLUMNS[name][0] === 'text'),
  })
}

function toColumnRead(name: ExportColumn, isMasked: boolean): Read {
  const [kind, value] = COLUMNS[name]
  return { name, kind, value: (isMasked ? MASKED[name] : undefined) ?? value }
}

// Measured for a million rows: 0.4 s to test four texts by their first character, 0.7 s by a pattern.
const STARTS = sql`array[${sql.join(FORMULA_STARTS.map((start) => sql.lit(start)))}]`

function toValue({ kind, value }: Read): RawBuilder<unknown> {
  return kind === 'moment' ? toIso(value) : value
}

/** What a spreadsheet would run gets an apostrophe in front (`harmless`). */
function toCell({ kind, value }: Read): RawBuilder<unknown> {
  if (kind === 'moment') return toIso(value)
  if (kind === 'boolean') return sql`${value}::text`
  if (kind !== 'text') return value
  const runs = sql`left(${value}, 1) = any(${STARTS}) and ${value} !~ ${sql.lit(PHONE_NUMBER)}`
  const inside = sql`regexp_replace(${value}, ${sql.lit(FORMULA_INSIDE)}, ${sql.lit("\\1'")}, 'g')`
  const whole = sql`case when ${value} ~ '[;\\t\\r\\n]' then ${inside} else ${value} end`
  return sql`case when ${runs} then '''' || ${whole} else ${whole} end`
}

/** Numbers, booleans and dates typed, texts as text; an absent value is an empty cell. */
function toElement({ kind, value }: Read): RawBuilder<unknown> {
  return sql`coalesce(${toFilledElement(kind, value)}, '<c/>')`
}

function toFilledElement(kind: Kind, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (kind === 'number') return sql`'<c><v>' || ${value} || '</v></c>'`
  if (kind === 'boolean') return sql`'<c t="b"><v>' || ${value}::int || '</v></c>'`
  if (kind === 'moment') return sql`${sql.lit(`<c s="${DATE_STYLE}"><v>`)} || ${toSerial(value)} || '</v></c>'`
  const text = kind === 'text' ? escapedXml(value) : value
  return sql`'<c t="inlineStr"><is><t xml:space="preserve">' || ${text} || '</t></is></c>'`
}

/** ISO 8601 in UTC with milliseconds, as everywhere in the API. */
function toIso(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function toSerial(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(extract(epoch from date_trunc('milliseconds', ${value}))::float8 / 86400 + 25569)`
}

/** Drops what XML 1.0 does not allow, and escapes what a workbook would read as a character code, such as `_x0041_`. */
function escapedXml(value: RawBuilder<unknown>): RawBuilder<unknown> {
  const plain = sql`regexp_replace(${value}, e'[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]', '', 'g')`
  const literal = sql`case when ${value} like '%\\_x%' then regexp_replace(${plain}, '_(?=x[0-9A-Fa-f]{4}_)', '_x005F_',
    'g') else ${plain} end`
  const marked = sql`replace(replace(replace(${literal}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`
  return sql`replace(replace(${marked}, e'\n', '&#10;'), e'\r', '&#13;')`
}
