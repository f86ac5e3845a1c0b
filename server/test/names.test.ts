import { describe, expect } from 'vitest'
import { createGroup } from '../src/marketplace/groups/groups.ts'
import { createOwnProduct, editOwnProduct } from '../src/marketplace/own-products/own-products.ts'
import { AppError } from '../src/platform/shared/errors.ts'
import { test } from './support/app.ts'
import { expectInvalid, type Answer } from './support/faults.ts'
import { givenProduct } from './support/marketplace.ts'
import { givenPanel } from './support/panel.ts'
import type { Service } from './support/service.ts'
import { commitAs } from './support/commit.ts'

const FAULTY: [text: string, sentence: RegExp][] = [
  ['Ada\u0007', /control characters/],
  ['Ada\nadmin', /control characters/],
  ['nimda\u202e', /direction of writing/],
  ['\u200b', /visible character/],
  ['   ', /must not be blank/],
]

/** Calls that write a name, by the field that holds it. */
const WRITES: [what: string, field: string, call: (service: Service, text: string) => Promise<Answer>][] = [
  [
    'registration',
    'name',
    ({ app }, name) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/register',
        payload: { email: `${Math.random()}@example.com`, password: 'long enough', name },
      }),
  ],
  [
    'create-user',
    'name',
    async (service, name) => (await givenPanel(service)).post('/admin/create-user', newUser({ name })),
  ],
  [
    'create-user',
    'username',
    async (service, username) => (await givenPanel(service)).post('/admin/create-user', newUser({ username })),
  ],
  [
    'create-user',
    'city',
    async (service, city) => (await givenPanel(service)).post('/admin/create-user', newUser({ city })),
  ],
  ['user-update', 'name', async (service, name) => changeUser(service, { name })],
  ['user-update', 'city', async (service, city) => changeUser(service, { city })],
  ['one’s own account', 'name', (service, name) => changeOwn(service, { name })],
  ['one’s own account', 'city', (service, city) => changeOwn(service, { city })],
  ['product-update', 'title', async (service, title) => changeProduct(service, { title })],
  ['product-update', 'city', async (service, city) => changeProduct(service, { city })],
]

describe('a deceptive name is 422, and the field is named', () => {
  for (const [what, field, call] of WRITES) {
    test.for(FAULTY)(`${what}: ${field} of %j`, async ([text, sentence], { service }) => {
      expectInvalid(await call(service, text), field, field === 'username' ? /.+/ : sentence)
    })
  }

  test.for(FAULTY)('a group and a user’s own product: %j', async ([text, sentence], { service }) => {
    const { deps, given } = service
    const owner = await given.user()
    const productId = await givenProduct(deps, owner)
    const own = { userId: owner.userId, productId }
    const category = await deps.db.selectFrom('categories').select('category_id').executeTakeFirstOrThrow()
    const draft = { description: 'It is', category_id: category.category_id, condition: 'good' } as const
    const faults = [
      await readFault(commitAs(owner, deps, createGroup, { name: text, join_policy: 'open' })),
      await readFault(commitAs(owner, deps, createOwnProduct, { ...draft, title: text })),
      await readFault(commitAs(owner, deps, createOwnProduct, { ...draft, title: 'A lamp', city: text })),
      await readFault(commitAs(own, deps, editOwnProduct, { ...own, edit: { title: text } })),
    ]
    expect(faults.map((fault) => Object.keys(fault))).toEqual([['name'], ['title'], ['city'], ['title']])
    for (const fault of faults) expect(Object.values(fault).flat()).toEqual([expect.stringMatching(sentence)])
  })
})

test('names in any script are kept unchanged', async ({ service }) => {
  const panel = await givenPanel(service)
  for (const name of ['李明', 'محمد علي', 'می‌خواهم', '👩‍👩‍👧 Doe', 'Zoë\u0308']) {
    const made = await panel.post('/admin/create-user', newUser({ name }))
    expect([made.statusCode, made.json().data.name]).toEqual([201, name])
  }
})

function newUser(wishes: Record<string, string>) {
  return { email: `${Math.random()}@example.com`, password: 'long enough', name: 'Ada', ...wishes }
}

async function changeUser(service: Service, change: Record<string, string>): Promise<Answer> {
  const { userId } = await service.given.user()
  return (await givenPanel(service)).patch('/user-update', { id: userId, ...change })
}

async function changeOwn({ app, given }: Service, payload: Record<string, string>): Promise<Answer> {
  const { headers } = await given.user()
  return app.inject({ method: 'PATCH', url: '/api/v1/account', headers, payload })
}

async function changeProduct(service: Service, change: Record<string, string>): Promise<Answer> {
  const id = await givenProduct(service.deps, await service.given.user())
  return (await givenPanel(service)).patch('/product-update', { id, ...change })
}

async function readFault(running: Promise<unknown>): Promise<Record<string, string[]>> {
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  return (error as AppError).extras.errors ?? {}
}
