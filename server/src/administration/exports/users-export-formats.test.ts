// Slow: many costly requests, or long data.
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  date,
  option,
  record,
  shuffledSubarray,
  string,
} from 'fast-check'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { parseCsv } from '../../../test/support/downloads.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { readWorkbook } from '../../../test/support/worksheets.ts'
import { harmless } from '../../platform/shared/spreadsheet.ts'

const ADDRESS = '/api/admin/v1/users-export'
const COLUMNS = [
  'id',
  'username',
  'email',
  'name',
  'role',
  'status',
  'is_test_user',
  'email_verified',
  'phone',
  'city',
  'last_active_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const
type Column = (typeof COLUMNS)[number]
type Value = string | number | boolean | null

const BOOLEANS: readonly Column[] = ['is_test_user', 'email_verified']

const words = string({
  unit: constantFrom(
    'a',
    'é',
    '李',
    '🙂',
    '=',
    '+',
    '-',
    '@',
    '7',
    ' ',
    ',',
    ';',
    '"',
    '\t',
    '\n',
    '\r',
    '<',
    '&',
    '_',
    'x',
  ),
  minLength: 1,
  maxLength: 12,
}).map((text) => `${text}'`)
const texts = constantFrom('+49 30 123456', '+49-170-1', '_x0041_x0042_', '=1+1', '＝1', 'x;=1+1').chain((known) =>
  words.map((word) => (word.length % 3 === 0 ? known : word)),
)
const moments = date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
const people = array(
  record({
    name: texts,
    phone: option(texts),
    city: option(texts),
    created: moments,
    active: option(moments),
    isTest: boolean(),
    isVerified: boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('An export of users', () => {
  test('is the same table in every format, its columns in the order that was asked for', async ({ service }) => {
    const admin = await service.given.user({ role: 'super_admin' })
    let run = 0
    await assert(
      asyncProperty(people, shuffledSubarray([...COLUMNS], { minLength: 1 }), async (wishes, columns) => {
        const prefix = `run-${run++}-of-many`
        const expected = await insertPeople(service, prefix, wishes)
        const rows = expected.map((row) => columns.map((column) => row[column]))
        const file = (format: string) =>
          exported(service, admin, { format, search: prefix, columns: columns.join(',') })
        const [csv, xlsx, json, ndjson] = [
          await file('csv'),
          await file('xlsx'),
          await file('json'),
          await file('ndjson'),
        ]
        const guarded = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? harmless(cell) : cell)))
        expect(csvTable(csv.body, columns)).toEqual({ header: columns, rows: guarded })
        expect(sheetTable(xlsx.rawPayload)).toEqual({ header: columns, rows })
        const objects = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
        expect(json.json().data).toEqual(objects)
        expect(json.json().data.map(Object.keys)).toEqual(rows.map(() => columns))
        expect(
          ndjson.body
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown),
        ).toEqual(objects)
      }),
      { numRuns: 40 },
    )
  })

  test('quotes every text, and lets no other separator begin a formula', async ({ service }) => {
    const admin = await service.given.user({ role: 'super_admin' })
    await insertPeople(service, 'separators', [{ ...PERSON, name: 'x;=1+1', city: 'a\tb', phone: '+49 (0)30/12' }])
    const csv = await exported(service, admin, { search: 'separators', columns: 'name,city,phone,status,is_test_user' })
    expect(csv.body).toBe(`name,city,phone,status,is_test_user\n"x;'=1+1","a\tb","+49 (0)30/12",active,false\n`)
  })

  test.for([
    ['columns=name,name', 'columns'],
    ['columns=name,', 'columns'],
    ['format=xlsx&bom=true', 'bom'],
    ['stauts=banned', 'stauts'],
  ])('with %s is refused, and names the field', async ([query, field], { service }) => {
    const { headers } = await service.given.user({ role: 'super_admin' })
    for (const method of ['GET', 'POST'] as const) {
      const answer = await service.app.inject({ method, url: `${ADDRESS}?${query}`, headers })
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]])
    }
  })
})

const PERSON = {
  name: 'Ada',
  phone: null,
  city: null,
  created: new Date('2026-01-02T03:04:05.678Z'),
  active: null,
  isTest: false,
  isVerified: true,
}
type Wish = Omit<typeof PERSON, 'phone' | 'city' | 'active'> & {
  phone: string | null
  city: string | null
  active: Date | null
}

/** Stores people, whose times have microseconds, and gives the table that an export of them is. */
async function insertPeople({ deps }: Service, prefix: string, wishes: Wish[]): Promise<Record<Column, Value>[]> {
  const table: Record<Column, Value>[] = []
  for (const [n, wish] of wishes.entries()) {
    const [username, email] = [`${prefix}-${n}`, `${prefix}-${n}@example.com`]
    const { rows } = await sql<{ user_id: number }>`
      insert into users (username, email, name, password_hash, phone, city, is_test_user, created_at, updated_at, last_active_at,
        email_verified_at)
      values (${username}, ${email}, ${wish.name}, '', ${wish.phone}, ${wish.city}, ${wish.isTest},
        ${wish.created}::timestamptz + interval '0.000789 s', ${wish.created}, ${wish.active},
        ${wish.isVerified ? wish.created : null})
      returning user_id`.execute(deps.db)
    const created = wish.created.toISOString()
    table.push({
      id: rows[0]!.user_id,
      username,
      email,
      name: wish.name,
      role: 'user',
      status: 'active',
      is_test_user: wish.isTest,
      email_verified: wish.isVerified,
      phone: wish.phone,
      city: wish.city,
      last_active_at: wish.active?.toISOString() ?? null,
      created_at: created,
      updated_at: created,
      deleted_at: null,
    })
  }
  return table
}

async function exported({ app }: Service, { headers }: GivenUser, query: Record<string, string>) {
  const answer = await app.inject({ url: `${ADDRESS}?${new URLSearchParams(query).toString()}`, headers })
  expect(answer.statusCode).toBe(200)
  return answer
}

/** The table of a CSV file, each cell read as its column says. */
function csvTable(body: string, columns: Column[]) {
  const [header, ...lines] = parseCsv(body)
  const rows = lines.map((line) =>
    line.map((cell, index): Value => {
      const column = columns[index]!
      if (cell === '') return null
      if (column === 'id') return Number(cell)
      if (BOOLEANS.includes(column)) return cell === 'true' || (cell === 'false' ? false : cell)
      return cell
    }),
  )
  return { header, rows }
}

function sheetTable(file: Buffer) {
  const [header, ...rows] = readWorkbook(file)
  return { header, rows: rows.map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))) }
}
