import type { App } from '../../src/platform/http/routes.ts'
import type { GivenUser } from './given.ts'

type Answer<T> = {
  status: number
  body: string
  headers: Record<string, unknown>
  json: { data: T; code?: string } & Json
}
type Json = { error?: string; errors?: Record<string, string[]>; next_cursor?: string | null }

/** What the app on a person's phone calls. */
export type Phone = {
  get<T>(url: string): Promise<Answer<T>>
  post<T>(url: string, payload?: object, headers?: Record<string, string>): Promise<Answer<T>>
}

export function openPhone({ app }: { app: App }, { headers: own }: GivenUser): Phone {
  const call = async <T>(method: 'GET' | 'POST', url: string, payload?: object, headers = {}): Promise<Answer<T>> => {
    const answer = await app.inject({ method, url, headers: { ...own, ...headers }, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.body, headers: answer.headers, json: answer.json() }
  }
  return { get: (url) => call('GET', url), post: (url, payload, headers) => call('POST', url, payload, headers) }
}
