import type { Answer } from './faults.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Somebody who uses the app: calls below `/api/v1`, signed in. */
export type AppCaller = GivenUser & {
  call(method: Method, path: string, payload?: object, headers?: Record<string, string>): Promise<Answer>
  /** The `data` of an answer that is a success. */
  data<T>(method: Method, path: string, payload?: object): Promise<T>
}

export async function givenCaller({ app, given }: Service): Promise<AppCaller> {
  const user = await given.user()
  const call = (method: Method, path: string, payload?: object, headers: Record<string, string> = {}) =>
    app.inject({ method, url: `/api/v1${path}`, headers: { ...user.headers, ...headers }, ...(payload && { payload }) })
  const data = async <T>(method: Method, path: string, payload?: object): Promise<T> => {
    const answer = await call(method, path, payload)
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} gave ${answer.statusCode}: ${answer.body}`)
    return answer.json<{ data: T }>().data
  }
  return { ...user, call, data }
}

/** All rows of a list, walked by its cursors. */
export async function walk<T>(caller: AppCaller, path: string): Promise<T[]> {
  const rows: T[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const joint = path.includes('?') ? '&' : '?'
    const answer = await caller.call('GET', cursor === undefined ? path : `${path}${joint}cursor=${cursor}`)
    if (answer.statusCode !== 200) throw new Error(`${path} gave ${answer.statusCode}: ${answer.body}`)
    const page = answer.json<{ data: T[]; next_cursor: string | null }>()
    rows.push(...page.data)
    cursor = page.next_cursor
  }
  return rows
}
