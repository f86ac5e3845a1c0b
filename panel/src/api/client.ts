import createClient from 'openapi-fetch'
import type { paths } from '../../../client/src/schema.ts'
import { language } from '../translation/language.ts'
import { readRefusal, toRefusal, type Refusal } from './refusal.ts'
import { createSend } from './send.ts'

/**
 * Calls of the API, typed by its own document. The session is in a cookie; the header says that the call is the
 * panel's.
 */
export const api = createClient<paths>({
  baseUrl: '/',
  headers: { 'X-Swapbell-Panel': '1' },
  fetch: createSend(),
  querySerializer: { array: { style: 'form', explode: false } },
})

/** The header by which a change is refused when the record is not in this version any more. */
export function ifVersion(version: number): { 'If-Match': string } {
  return { 'If-Match': `"v${version}"` }
}

type Answered<T> = { data?: T; error?: unknown; response: Response }

/** The JSON of an answer; throws a `Refusal` for any other answer than a success. */
export async function readBody<T>(call: Promise<Answered<T>>): Promise<Exclude<T, string>> {
  const { data, error, response } = await call.catch((thrown: unknown) => {
    throw toRefusal(thrown)
  })
  if (response.ok && data !== undefined) return data as Exclude<T, string>
  throw await translated(readRefusal(error, response))
}

/** The API says in English what is wrong with a field. */
async function translated(refusal: Refusal): Promise<Refusal> {
  return language === 'es'
    ? import('../translation/faults.ts').then(
        ({ inSpanish }) => inSpanish(refusal),
        () => refusal,
      )
    : refusal
}
