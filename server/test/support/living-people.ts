import { CATEGORIES } from '../../../tools/demo/goods.ts'
import { act, type Chance } from '../../../tools/demo/living/act.ts'
import { createApp, type Call } from '../../../tools/demo/living/calls.ts'
import { randomUUID } from 'node:crypto'
import type { Service } from './service.ts'

/** People who use the app by themselves; `statuses` has an example of each status that they were answered. */
export type LivingPeople = { live: (deeds: number) => Promise<void>; userIds: number[]; statuses: Map<number, string> }

/** Some people with accounts, and categories for what they list. They act by `chance`, by calls over HTTP alone. */
export async function givenLivingPeople(service: Service, count: number, chance: Chance): Promise<LivingPeople> {
  const { deps } = service
  const categories = CATEGORIES.map(({ slug, name }) => ({ slug, name }))
  await deps.db
    .insertInto('categories')
    .values(categories)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const accounts = await Promise.all(Array.from({ length: count }, () => registered(service)))
  const statuses = new Map<number, string>()
  const apps = accounts.map(({ email }): Call => {
    const call = createApp(url, { email, password: PASSWORD }, new AbortController().signal)
    return async (...asked) => {
      const answer = await call(...asked)
      statuses.set(answer.status, JSON.stringify([asked, answer.body]).slice(0, 400))
      return answer
    }
  })
  const userIds = accounts.map(({ userId }) => userId)
  const live = async (deeds: number) => {
    for (let i = 0; i < deeds; i++) {
      const who = Math.floor(chance() * count)
      await act(
        apps[who]!,
        chance,
        userIds.filter((_, index) => index !== who),
      )
    }
  }
  return { live, userIds, statuses }
}

const PASSWORD = 'long enough for all'

async function registered({ app }: Service): Promise<{ email: string; userId: number }> {
  const email = `${randomUUID()}@example.com`
  const payload = { email, password: PASSWORD, name: 'Somebody' }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/register', payload })
  return { email, userId: answer.json<{ data: { user: { id: number } } }>().data.user.id }
}

/** The same numbers each time (Park and Miller’s generator). */
export function chancesFrom(seed: number): Chance {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
