import { Type, type TSchema } from 'typebox'
import { errors } from '../shared/errors.ts'
import { parseJson } from '../shared/json.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100
const CURSOR_MAX = 2_000
const NO_CURSOR = 'must be the next_cursor of this list, with the same order'

export const CursorQuery = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CURSOR_MAX,
      pattern: '^[A-Za-z0-9_-]+$',
      'x-fault': NO_CURSOR,
      description: 'The `next_cursor` of the previous page; absent: the first page.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `How many; default ${LIMIT_DEFAULT}, at most ${LIMIT_MAX}.`,
    }),
  ),
}

export function readLimit({ limit = LIMIT_DEFAULT }: { limit?: number }): number {
  return Math.min(limit, LIMIT_MAX)
}

export const NextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'The `cursor` of the next page; null: there is none.',
})

export function CursorPage<T extends TSchema>(item: T) {
  return Type.Object({
    success: Type.Literal(true),
    data: Type.Array(item),
    next_cursor: NextCursor,
    message: Type.String(),
  })
}

/** A key is a number, or one of a list's words: whoever forges a cursor cannot ask for anything else with it. */
type Kinds = readonly ('number' | readonly string[])[]
type KeyValues<K extends Kinds> = {
  -readonly [Place in keyof K]: K[Place] extends readonly string[] ? K[Place][number] : number
}

/** For each key the name of a field that has it. */
type FieldsWith<Row, Keys> = {
  [Place in keyof Keys]: keyof { [Name in keyof Row as Row[Name] extends Keys[Place] ? Name : never]: true }
}

/** A cursor holds the keys of its page's last row, and `list`: name, order and all else that the keys depend on. */
export function createCursors<const K extends Kinds>(list: string, kinds: K) {
  const write = (keys: KeyValues<K>) =>
    Buffer.from(JSON.stringify([list, ...(keys as readonly unknown[])])).toString('base64url')
  /** Undefined for the first page. 422 on what is no cursor of this list and order. */
  const read = ({ cursor }: { cursor?: string }): KeyValues<K> | undefined => {
    if (cursor === undefined) return undefined
    const values = parseJson(Buffer.from(cursor, 'base64url').toString())
    const [name, ...keys]: unknown[] = Array.isArray(values) ? values : []
    if (name !== list || keys.length !== kinds.length || !kinds.every((kind, place) => isOfKind(kind, keys[place])))
      throw errors.validation({ cursor: [NO_CURSOR] })
    return keys as KeyValues<K>
  }
  return {
    write,
    read,
    /** What a statement is asked for: one row more than the page shows, which says whether there is another page. */
    readPage: (query: { cursor?: string; limit?: number }) => ({ after: read(query), limit: readLimit(query) + 1 }),
    writePage: <Row, V>(
      rows: readonly Row[],
      page: { limit: number },
      { keys, ...how }: { keys: FieldsWith<Row, KeyValues<K>>; view: (row: Row) => V; message: string },
    ) => cursorPage(rows, page, { ...how, toCursor: (row) => write(keys.map((name) => row[name]) as KeyValues<K>) }),
  }
}

type Written<Row, V> = { toCursor: (row: Row) => string; view: (row: Row) => V }

/** `rows` and `limit` as for `writeRows`. */
export function cursorPage<Row, V>(
  rows: readonly Row[],
  page: { limit: number },
  { message, ...how }: Written<Row, V> & { message: string },
) {
  return { success: true as const, ...writeRows(rows, page, how), message }
}

/** `rows` are those after the cursor. The last of `limit` is not shown: it says that there is another page. */
export function writeRows<Row, V>(
  rows: readonly Row[],
  { limit }: { limit: number },
  { toCursor, view }: Written<Row, V>,
) {
  const visible = rows.slice(0, limit - 1)
  const last = visible.at(-1)
  return {
    data: visible.map(view),
    next_cursor: rows.length >= limit && last !== undefined ? toCursor(last) : null,
  }
}

function isOfKind(kind: Kinds[number], value: unknown): boolean {
  return kind === 'number' ? Number.isSafeInteger(value) : kind.some((word) => word === value)
}
