import type { Role } from '../../src/platform/tables/tables.ts'
import type { Answer } from './faults.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

type Headers = Record<string, string>

/** Somebody who works in the panel: calls below `/api/admin/v1`, signed in. */
export type Panel = {
  user: GivenUser
  get(path: string): Promise<Answer>
  post(path: string, payload?: Record<string, unknown>, headers?: Headers): Promise<Answer>
  patch(path: string, payload: Record<string, unknown>, headers?: Headers): Promise<Answer>
  delete(path: string, payload?: Record<string, unknown>, headers?: Headers): Promise<Answer>
}

export async function givenPanel({ app, given }: Service, role: Role = 'admin'): Promise<Panel> {
  const user = await given.user({ role, notification: null })
  const call =
    (method: 'GET' | 'POST' | 'PATCH' | 'DELETE') =>
    (path: string, payload?: Record<string, unknown>, headers: Headers = {}) =>
      app.inject({
        method,
        url: `/api/admin/v1${path}`,
        headers: { ...user.headers, ...headers },
        ...(payload && { payload }),
      })
  return { user, get: call('GET'), post: call('POST'), patch: call('PATCH'), delete: call('DELETE') }
}

/** How many of the answers have each status. */
export function tally(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}
