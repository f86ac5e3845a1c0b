import type { Call } from './calls.ts'
import type { Service } from './service.ts'

/** People whom the calls of the app are about. */
export type PeopleWorld = { strangerId: number }

export async function givenPeopleWorld({ given }: Service): Promise<PeopleWorld> {
  const { userId } = await given.user()
  return { strangerId: userId }
}

/** The calls of people among one another. */
export function peopleCallsOf({ strangerId }: PeopleWorld): Record<string, Call> {
  const block = `/api/v1/users/${strangerId}/block`
  return {
    'GET /api/v1/me': { method: 'GET', url: '/api/v1/me', status: 200 },
    'PATCH /api/v1/me': { method: 'PATCH', url: '/api/v1/me', payload: { language: 'de-AT' }, status: 200 },
    'POST /api/v1/users/:id/block': { method: 'POST', url: block, status: 200 },
    'GET /api/v1/blocks': { method: 'GET', url: '/api/v1/blocks', status: 200 },
    'DELETE /api/v1/users/:id/block': { method: 'DELETE', url: block, status: 200 },
  }
}
