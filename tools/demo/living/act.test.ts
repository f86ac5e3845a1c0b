import { expect } from 'vitest'
import { insertAccount, PASSWORD } from '../../../server/test/support/accounts.ts'
import { test } from '../../../server/test/support/app.ts'
import { drain } from '../../../server/test/support/drain.ts'
import { CATEGORIES } from '../goods.ts'
import { act } from './act.ts'
import { createApp, type Call } from './calls.ts'

const PEOPLE = 4
const DEEDS = 160

test('demonstration people list, like, propose, talk and swap by calls of the app, and none of their calls is refused as wrong', async ({
  service,
}) => {
  const { deps } = service
  await deps.db
    .insertInto('categories')
    .values(CATEGORIES.map(({ slug, name }) => ({ slug, name })))
    .execute()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const accounts = await Promise.all(Array.from({ length: PEOPLE }, () => insertAccount(deps, {})))
  const statuses = new Map<number, string>()
  const apps = accounts.map(({ email }): Call => {
    const call = createApp(url, { email, password: PASSWORD }, new AbortController().signal)
    return async (...asked) => {
      const answer = await call(...asked)
      statuses.set(answer.status, JSON.stringify([asked, answer.body]).slice(0, 400))
      return answer
    }
  })
  const chance = chancesFrom(11)
  for (let i = 0; i < DEEDS; i++) {
    const who = Math.floor(chance() * PEOPLE)
    const others = accounts.filter((_, index) => index !== who).map(({ user_id }) => user_id)
    await act(apps[who]!, chance, others)
  }
  await drain(service)

  const { swaps, lines, likes, completed, pushes } = await deps.db
    .selectNoFrom((of) => [
      of.selectFrom('swaps').select(of.fn.countAll<number>().as('n')).as('swaps'),
      of.selectFrom('swap_messages').select(of.fn.countAll<number>().as('n')).as('lines'),
      of.selectFrom('likes').select(of.fn.countAll<number>().as('n')).as('likes'),
      of.selectFrom('swaps').select(of.fn.countAll<number>().as('n')).where('status', '=', 'completed').as('completed'),
      of.selectFrom('messages').select(of.fn.countAll<number>().as('n')).as('pushes'),
    ])
    .executeTakeFirstOrThrow()
  process.stdout.write(JSON.stringify({ swaps, lines, likes, completed, pushes }) + '\n')
  for (const made of [swaps, lines, likes, completed, pushes]) expect(Number(made)).toBeGreaterThan(0)
  // 409: what somebody wanted to do was not possible any more.
  const refused = [...statuses].filter(([status]) => ![200, 201, 409].includes(status))
  expect(refused).toEqual([])
})

/** The same numbers each time (Park and Miller’s generator). */
function chancesFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
