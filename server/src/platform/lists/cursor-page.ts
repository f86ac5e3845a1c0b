import { Type, type TSchema } from 'typebox'
import { errors } from '../shared/errors.ts'

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

export type Cursors<Keys> = {
  write(keys: Keys): string
  /** Undefined for the first page. 422 on what is no cursor of this list and order. */
  read(query: { cursor?: string }): Keys | undefined
}

/** A cursor holds the keys of its page's last row, and `list`: name, order and all else that the keys depend on. */
export function createCursors<const K extends Kinds>(list: string, kinds: K): Cursors<KeyValues<K>> {
  return {
    write: (keys) => Buffer.from(JSON.stringify([list, ...(keys as readonly unknown[])])).toString('base64url'),
    read: ({ cursor }) => {
      if (cursor === undefined) return undefined
      const [name, ...keys] = valuesIn(cursor)
      if (name !== list || keys.length !== kinds.length || !kinds.every((kind, place) => isOfKind(kind, keys[place])))
        throw errors.validation({ cursor: [NO_CURSOR] })
      return keys as KeyValues<K>
    },
  }
}

/** `rows` are those after the cursor, one more than `limit` when there is another page. */
export function cursorPage<Row, V>(
  rows: readonly Row[],
  limit: number,
  { toCursor, view, message }: { toCursor: (row: Row) => string; view: (row: Row) => V; message: string },
) {
  const visible = rows.slice(0, limit)
  const last = visible.at(-1)
  return {
    success: true as const,
    data: visible.map(view),
    next_cursor: rows.length > limit && last !== undefined ? toCursor(last) : null,
    message,
  }
}

function valuesIn(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

function isOfKind(kind: Kinds[number], value: unknown): boolean {
  return kind === 'number' ? Number.isSafeInteger(value) : kind.some((word) => word === value)
}
