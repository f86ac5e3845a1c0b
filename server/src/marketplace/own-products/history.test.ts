// Slow: random histories, or many who do the same at once.
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenCaller, walk, type AppCaller } from '../../../test/support/app-caller.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { givenCategory } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'
import { TRUTHS } from '../../../test/support/truths.ts'
import { checkListCounts } from '../../platform/lists/list-counts.ts'

type World = {
  service: Service
  panel: Panel
  people: AppCaller[]
  categories: number[]
  products: { id: number; owner: number }[]
}
type Step = { what: keyof typeof STEPS; who: number; isOther: boolean; which: number; category: number }

const VERDICT = { reason_code: 'other', message: 'Please look again.' }
const TITLES = ['Lamp', 'Green lamp', 'Chair']

/** What people and moderators do with products by the endpoints; a refusal is as good as a success. */
const STEPS = {
  create: async ({ people, categories, products }: World, { who, category }: Step) => {
    const fields = { title: TITLES[category]!, description: 'A thing', condition: 'good', city: 'Ulm' }
    const answer = await people[who]!.call('POST', '/products', {
      ...fields,
      category_id: categories[category],
      submit: category > 0,
    })
    products.push({ id: answer.json<{ data: { id: number } }>().data.id, owner: who })
    return answer
  },
  edit: ({ people, categories }: World, { who, category }: Step, id: number) =>
    people[who]!.call('PATCH', `/products/${id}`, { title: TITLES[category], category_id: categories[category] }),
  submit: ({ people }: World, { who }: Step, id: number) => people[who]!.call('POST', `/products/${id}/submit`),
  pause: ({ people }: World, { who }: Step, id: number) => people[who]!.call('POST', `/products/${id}/pause`),
  resume: ({ people }: World, { who }: Step, id: number) => people[who]!.call('POST', `/products/${id}/resume`),
  delete: ({ people }: World, { who }: Step, id: number) => people[who]!.call('DELETE', `/products/${id}`),
  like: ({ people }: World, { who }: Step, id: number) => people[who]!.call('PUT', `/products/${id}/like`),
  unlike: ({ people }: World, { who }: Step, id: number) => people[who]!.call('DELETE', `/products/${id}/like`),
  verify: ({ panel }: World, _: Step, id: number) => panel.post(`/mark-product-verified/${id}`),
  reject: ({ panel }: World, _: Step, id: number) => panel.post(`/reject-product/${id}`, VERDICT),
  'ask for changes': ({ panel }: World, _: Step, id: number) => panel.post(`/request-product-changes/${id}`, VERDICT),
  remove: ({ panel }: World, _: Step, id: number) => panel.patch('/product-update', { id, status: 'removed' }),
  restore: ({ panel }: World, _: Step, id: number) => panel.patch('/product-update', { id, status: 'active' }),
}

const steps = array(
  record<Step>({
    what: constantFrom(
      ...([
        'edit',
        'edit',
        'edit',
        'edit',
        'submit',
        'like',
        'like',
        'like',
        'unlike',
        'verify',
        'verify',
        'verify',
      ] as const),
      ...(Object.keys(STEPS) as (keyof typeof STEPS)[]),
    ),
    who: nat(2),
    isOther: constantFrom(true, false, false, false, false),
    which: nat(2),
    category: nat(2),
  }),
  { minLength: 10, maxLength: 40, size: 'max' },
)

test('after any history of products, lists, likes and totals equal the rows', async ({ service }) => {
  await assert(
    asyncProperty(steps, async (made) => {
      const panel = await givenPanel(service)
      const people = [await givenCaller(service), await givenCaller(service), await givenCaller(service)]
      const categories = []
      for (let n = 0; n < 3; n++) categories.push(await givenCategory(service.deps))
      const world: World = { service, panel, people, categories, products: [] }
      for (const who of [0, 1, 2]) await STEPS.create(world, { ...made[0]!, who, category: 1 })
      for (const { id } of world.products) await STEPS.verify(world, made[0]!, id)
      for (const step of made) {
        const product = world.products[step.which % Math.max(1, world.products.length)] ?? { id: 987_654_321, owner: 0 }
        // Mostly those who may: owners act on their own products, others like them.
        const isLike = step.what === 'like' || step.what === 'unlike'
        const who = step.isOther ? step.who : isLike ? (product.owner + 1) % 3 : product.owner
        const { statusCode } = await STEPS[step.what](
          world,
          step.what === 'create' ? step : { ...step, who },
          product.id,
        )
        expect([200, 201, 404, 409, 422]).toContain(statusCode)
      }
      await expectTruths(world)
      await expectLists(world)
    }),
    { numRuns: 20 },
  )
})

async function expectTruths({ service: { deps } }: World): Promise<void> {
  const found: string[] = []
  for (const [truth, contradictions] of TRUTHS.slice(0, 3))
    if ((await sql.raw(contradictions).execute(deps.db)).rows.length > 0) found.push(truth)
  expect(found).toEqual([])
  expect((await checkListCounts(deps.db)).isGood).toBe(true)
}

/** What each of the three is shown, counted from the rows. */
async function expectLists({ service: { deps }, people, categories, products }: World): Promise<void> {
  const { rows } = await sql<{
    id: number
    owner: number
    category: number
    title: string
    likes: number
    seen: boolean
  }>`
    select p.product_id as id, p.user_id as owner, coalesce(k.category_id, p.category_id) as category,
      coalesce(k.title, p.title) as title, (select count(*) from likes where product_id = p.product_id) as likes,
      p.status = 'active' and p.deleted_at is null and p.verification <> 'rejected' and p.rejected_at is null as seen
    from products p left join kept_revisions k using (product_id)
    where p.product_id = any(${products.map(({ id }) => id)}::bigint[]) order by p.product_id`.execute(deps.db)
  const listed = rows.filter(({ seen }) => seen)
  type Shown = { id: number; title: string; like_count: number }
  const byId = (shown: Shown[]) =>
    shown.map(({ id, title, like_count }) => ({ id, title, like_count })).toSorted((a, b) => a.id - b.id)
  for (const person of people) {
    const shown: Shown[] = []
    for (const category of categories)
      shown.push(...(await walk<Shown>(person, `/products?category=${category}&sort=most_liked&limit=2`)))
    const others = listed.filter(({ owner }) => owner !== person.userId)
    expect(byId(shown)).toEqual(others.map(({ id, title, likes }) => ({ id, title, like_count: likes })))
    const page = await person.data<{ product_count: number }>('GET', `/users/${person.userId}`)
    expect(page.product_count).toBe(listed.length - others.length)
  }
  const counted = await people[0]!.data<{ id: number; products: number }[]>('GET', '/categories')
  for (const category of categories)
    expect(counted.find(({ id }) => id === category)?.products).toBe(
      listed.filter((row) => row.category === category).length,
    )
}
