// Slow: two seconds or more for the file.

import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import { inOrder, toSortKey } from '../../../test/support/collation.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'
import { USER_ORDERS } from './users-list.queries.ts'

type Item = Record<string, number | string | boolean | null> & {
  id: number
  name: string
  email: string
  username: string
}

const DAY_MS = 86_400_000
const PEOPLE = [
  { username: 'ada.l', email: 'ada@example.com', name: 'Ada Lovelace', role: 'analyst' as const },
  { username: 'ben_b', email: 'Ben@Example.org', name: 'ben Bär', status: 'suspended' as const },
  { username: 'cleo', email: 'cleo+100%@example.net', name: 'Cleo O’Zoë', is_test_user: true },
  { username: 'dora', email: 'dora@example.com', name: 'Ädä', status: 'banned' as const },
  { username: 'emil', email: 'emil@example.com', name: 'Émil \\ Ada', status: 'inactive' as const },
]
const PHONES = [null, null, '+49 151 12345678', null, '030/1234567']

const test = base.extend<'people', { panel: Panel; ids: number[] }>(
  'people',
  { scope: 'file' },
  async ({ service }) => {
    const panel = await givenPanel(service)
    const ids: number[] = []
    for (const [n, person] of PEOPLE.entries()) ids.push(await insert(service, person, n))
    return { panel, ids }
  },
)

describe('the list of users', () => {
  test('gives each of many concurrent callers their own page', async ({ people: { panel } }) => {
    const addresses = [1, 2, 3, 4, 5, 1].flatMap((page) => [`/users?per_page=1&page=${page}`, `/users?page=${page}`])
    const alone = []
    for (const address of addresses) alone.push((await panel.get(address)).json())
    const together = await Promise.all(addresses.map((address) => panel.get(address)))
    expect(together.map((answer) => answer.json())).toEqual(alone)
    expect(alone[0].data).toHaveLength(1)
  })

  test('shows the newest first, with their counts and without secrets', async ({ service, people: { panel } }) => {
    const { requester, owner, requested } = await givenProposal(service)
    await givenProduct(service.deps, owner, { deleted_at: new Date() })
    await givenReport(service.deps, { productId: requested, reporterId: requester.userId })
    await givenReport(service.deps, { productId: requested, reporterId: panel.user.userId, status: 'dismissed' })
    const answer = await panel.get('/users?per_page=1')
    expect(answer.json().data).toEqual([
      {
        id: owner.userId,
        user_id: owner.userId,
        username: expect.any(String),
        email: owner.email,
        name: owner.name,
        role: 'user',
        status: 'active',
        is_test_user: false,
        city: null,
        avatar_url: null,
        email_verified: false,
        last_active_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        deleted_at: null,
        version: 1,
        counts: { products: 1, transactions: 1, open_reports: 1, devices: 1 },
      },
    ])
    expect(answer.json().pagination).toMatchObject({ current_page: 1, per_page: 1 })
    expect(answer.json().pagination).not.toHaveProperty('total_is_estimate')
    expect(answer.body).not.toMatch(/hash|PushToken/)
  })

  test.for<[string, number[]]>([
    ['status=suspended', [1]],
    ['status=suspended,banned', [1, 3]],
    ['status=inactive,suspended&role=user', [1, 4]],
    ['role=analyst', [0]],
    ['role=analyst,super_admin', [0]],
    ['email_verified=true', [0, 2, 4]],
    ['email_verified=false', [1, 3]],
    ['is_test_user=true', [2]],
    ['is_test_user=false', [0, 1, 3, 4]],
    ['last_active_from=2026-01-03', [2, 3]],
    ['last_active_to=2026-01-02', [0, 1]],
    ['last_active_from=2026-01-02&last_active_to=2026-01-03', [1, 2]],
    ['last_active_from=2026-01-02T00:00:00Z&last_active_to=2026-01-03T00:00:00Z', [1]],
    ['start_date=2025-01-04', [3, 4]],
    ['end_date=2025-01-02', [0, 1]],
    ['start_date=2025-01-02&end_date=2025-01-02&timezone=Pacific/Auckland', [0]],
    ['search=ada', [0, 3, 4]],
    ['search=LOVE', [0]],
    ['search=ben@example', [1]],
    ['search=bär', [1]],
    ['search=Zo%C3%AB', [2]],
    ['search=100%25', [2]],
    ['search=%25', [2]],
    ['search=_', [1]],
    ['search=n_b', [1]],
    ['search=%5C', [4]],
    ['search=%27', []],
    ['search=%E2%80%99', [2]],
    ['search=ad', [0, 3, 4]],
    ['search=b', [1]],
    ['search=%C3%A4', [0, 1, 2, 3, 4]],
    ['search=mi&role=user&status=inactive', [4]],
    ['search=z', [2]],
    ['search=emi', [4]],
    ['search=%40example.com', [0, 3, 4]],
    ['search=nobody at all', []],
    ['search=example.com Ada', [0, 3, 4]],
    ['search=ada ben', []],
    ['search=Bar Ben', [1]],
    ['search=zoe o cleo', [2]],
    ['search=%40ben_b', [1]],
    ['search=%40dora Ada', [3]],
    ['search=%2B4915112345678', [2]],
    ['search=0151 123-45 678', [2]],
    ['search=%2B49 (0)151 12345678', [2]],
    ['search=030 1234567', [4]],
    ['search=%CC%81', []],
    ['search=ada love', [0]],
    ['search=%20%20ada%20', [0, 3, 4]],
    ['search=%20', [0, 1, 2, 3, 4]],
    ['search=ada&status=inactive', [4]],
  ])('?%s finds those and no others', async ([query, expected], { people: { panel, ids } }) => {
    const answer = await panel.get(`/users?${query}&per_page=100`)
    expect(answer.statusCode).toBe(200)
    const found = (answer.json().data as Item[]).map(({ id }) => ids.indexOf(id)).filter((n) => n >= 0)
    expect(found.toSorted((one, other) => one - other)).toEqual(expected)
  })

  test('leaves deleted ones out, or shows them alone, or with the others', async ({ service, people: { panel } }) => {
    const [gone, here] = [
      await service.given.user({ name: 'Deletia Q' }),
      await service.given.user({ name: 'Deletia P' }),
    ]
    await panel.delete(`/user/${gone.userId}`)
    const found = async (deleted: string) =>
      ((await panel.get(`/users?search=deletia&sort_by=name&sort_order=asc${deleted}`)).json().data as Item[]).map(
        ({ id }) => id,
      )
    expect(await found('')).toEqual([here.userId])
    expect(await found('&deleted=exclude')).toEqual([here.userId])
    expect(await found('&deleted=only')).toEqual([gone.userId])
    expect(await found('&deleted=include')).toEqual([here.userId, gone.userId])
  })

  test.for(USER_ORDERS)(
    'is sorted by %s both ways, whatever the page, searched or not',
    async (order, { service, people: { panel } }) => {
      const walk = async (direction: string, search: string) => {
        const all: Item[] = []
        for (let page = 1; ; page++) {
          const query = `sort_by=${order}&sort_order=${direction}&deleted=include&per_page=3&page=${page}${search}`
          const { data } = (await panel.get(`/users?${query}`)).json()
          if (data.length === 0) return all
          all.push(...data)
        }
      }
      for (const search of ['', '&search=example']) {
        const ascending = await walk('asc', search)
        expect(new Set(ascending.map(({ id }) => id)).size).toBe(ascending.length)
        expect(ascending.length).toBeGreaterThan(4)
        expect((await walk('desc', search)).map(({ id }) => id)).toEqual(ascending.map(({ id }) => id).toReversed())
        const keys = ascending.map((item) => toSortKey(item[order]))
        expect(keys).toEqual(await inOrder(service, keys))
      }
    },
  )

  test('past its end is empty, and its size is clamped', async ({ people: { panel } }) => {
    const past = (await panel.get('/users?page=1000000')).json()
    expect(past.data).toEqual([])
    expect(past.pagination.total_items).toBeGreaterThan(4)
    expect((await panel.get('/users?per_page=5000')).json().pagination.per_page).toBe(100)
    const searched = (await panel.get('/users?search=example&page=1000')).json()
    expect(searched.data).toEqual([])
    expect(searched.pagination.total_items).toBeGreaterThan(4)
  })

  test('that many request at once is the same for all, and names the unknown parameters of one caller', async ({
    people: { panel },
  }) => {
    const asked = ['', '', '&made_up=1', '', '&made_up=1'].map((more) => panel.get(`/users?per_page=2${more}`))
    const [first, ...others] = (await Promise.all(asked)).map((answer) => answer.json())
    expect(first).not.toHaveProperty('ignored_parameters')
    const ignoring = { ...first, ignored_parameters: ['made_up'] }
    expect(others).toEqual([first, ignoring, first, ignoring])
    const { headers } = await panel.get('/users?per_page=2')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('counts an account as soon as it is made, changed or deleted, also under many requests', async ({
    service,
    people: { panel },
  }) => {
    const count = async (query: string) => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => panel.get(`/users?${query}`)))
      return answers.map((answer) => answer.json().pagination.total_items as number)
    }
    const [all = 0] = await count('')
    const [banned = 0] = await count('status=banned')
    const [deleted = 0] = await count('deleted=only')
    for (let n = 1; n <= 5; n++) {
      const { userId } = await service.given.user()
      expect(await count('')).toEqual(Array(5).fill(all + 1))
      const change = await panel.patch('/user-update', { id: userId, status: 'banned' })
      expect(change.statusCode).toBe(200)
      expect(await count('status=banned')).toEqual(Array(5).fill(banned + 1))
      await panel.delete(`/user/${userId}`)
      expect(await count('deleted=only')).toEqual(Array(5).fill(deleted + n))
      expect(await count('')).toEqual(Array(5).fill(all))
    }
  })

  test('needs the right to manage users', async ({ service }) => {
    for (const role of ['analyst', 'moderator'] as const)
      expect((await (await givenPanel(service, role)).get('/users')).statusCode).toBe(403)
  })
})

async function insert({ deps }: Service, person: (typeof PEOPLE)[number], n: number): Promise<GivenUser['userId']> {
  const dates = { created_at: new Date(Date.UTC(2025, 0, n + 1, 12)), updated_at: new Date(Date.UTC(2025, 5, 9 - n)) }
  const { user_id } = await deps.db
    .insertInto('users')
    .values({
      ...person,
      ...dates,
      phone: PHONES[n] ?? null,
      password_hash: 'none',
      last_active_at: n === 4 ? null : new Date(Date.UTC(2026, 0, 1) + n * DAY_MS),
      email_verified_at: n % 2 === 0 ? new Date(0) : null,
    })
    .returning('user_id')
    .executeTakeFirstOrThrow()
  return user_id
}
