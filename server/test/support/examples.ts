import type { App } from '../../src/platform/http/routes.ts'
import type { ApiDocument } from './openapi.ts'

/** The first answer of each success, by `operationId` and status. */
export type Examples = Record<string, Record<string, unknown>>

type Answer = { statusCode: number; headers: Record<string, unknown>; body: string; json(): unknown }

/** Keeps an answer of each success that `app.inject` gives from now on, made harmless and equal in each run. */
export function recordAnswers(app: App, document: ApiDocument, clock: { now(): number }): Examples {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      operationId,
    })),
  )
  // An address with a word in place of a parameter is another route.
  const byName = routes.toSorted(
    (a, b) => a.pattern.source.split('[^/]+').length - b.pattern.source.split('[^/]+').length,
  )
  const examples: Examples = {}
  const original = app.inject.bind(app) as (options: unknown) => Promise<Answer>
  const recording = async (options: { method?: string; url: string }) => {
    const answer = await original(options)
    const call = `${options.method ?? 'GET'} ${options.url.split('?')[0]}`
    const name = byName.find(({ pattern }) => pattern.test(call))?.operationId
    const example = answer.statusCode < 300 ? contentOf(answer) : undefined
    if (name !== undefined && example !== undefined)
      (examples[name] ??= {})[answer.statusCode] ??= createHarmless(clock.now())(example)
    return answer
  }
  app.inject = recording as unknown as App['inject']
  return examples
}

function contentOf({ headers, body, json }: Answer): unknown {
  const type = String(headers['content-type'])
  if (type.startsWith('application/json')) return shortened(json())
  if (type.startsWith('text/csv'))
    return body
      .split('\n')
      .slice(0, 1 + SHOWN)
      .join('\n')
  // The first of its events.
  return type.startsWith('text/') ? body.split('\n\n').slice(0, 2).join('\n\n') : undefined
}

/** The description of the API is shortened to what names it. */
function shortened(json: unknown): unknown {
  const { openapi, info } = json as { openapi?: unknown; info?: unknown }
  return openapi === undefined ? json : { openapi, info }
}

// The sender chooses its fields, and which message is the newest differs between runs.
const FREE = 'notification_content'
const SHOWN = 2
const TODAY = Date.parse('2026-11-01T12:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const PEOPLE = ['ann', 'ben', 'cleo', 'dan', 'eva', 'finn', 'gina', 'hugo']

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{6,12}/g
const ANY_UUID = '7d444840-9dc0-41d1-8245-5ffdce74fad2'
const CODE = /\b(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}\b/g
const ANY_CODE = 'ABCD-EFGH-2345-IJKL'

/** Long lists shortened; secrets, times, and names by chance replaced by ones that are equal in each run. */
function createHarmless(now: number): (value: unknown) => unknown {
  const names = new Map<string, string>()
  const nameOf = (chance: string) => {
    const name = names.get(chance) ?? PEOPLE[names.size % PEOPLE.length]!
    names.set(chance, name)
    return name
  }
  const textOf = (text: string) =>
    text
      .replaceAll(MOMENT, (moment) => momentFor(moment, now))
      .replaceAll(/^\d{4}-\d\d-\d\d$/g, (day) => momentFor(`${day}T12:00:00Z`, now).slice(0, day.length))
      .replaceAll(/User ([0-9a-f]{8})/g, (_, chance: string) => capital(nameOf(chance)))
      .replaceAll(/user-([0-9a-f]{8})/g, (_, chance: string) => nameOf(chance))
      .replaceAll(UUID, ANY_UUID)
      .replaceAll(new RegExp(`${ANY_UUID}(?=@|%40)`, 'g'), 'admin')
      .replaceAll(CODE, ANY_CODE)
      .replaceAll(/[A-Z2-7]{32}|[\w-]{40,}/g, 'x'.repeat(24))
      .replaceAll(/^(retry|id): \d+$/gm, '$1: 3000')
  const harmless = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return NAMES[key]?.(value) ?? textOf(value)
    if (Array.isArray(value)) return value.slice(0, SHOWN).map((one) => harmless(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, harmless(inner, name)]))
  }
  return harmless
}

const inPlaceOf = (name: string) => (text: string) => (text.replaceAll(UUID, '') === '' ? name : undefined)

/** Fixed values that replace random ids in fields of these names. */
const NAMES: Record<string, (text: string) => string | undefined> = {
  name: inPlaceOf('Board games'),
  slug: inPlaceOf('board-games'),
  code: inPlaceOf('plus'),
  username: inPlaceOf('admin'),
}

/** The database's clock is about an hour behind the service's, so times by the database count as now. */
function momentFor(text: string, now: number): string {
  const offset = Math.round((Date.parse(text) - now) / MINUTE_MS) * MINUTE_MS
  if (Math.abs(offset) > 100 * DAY_MS) return text
  return new Date(TODAY + (offset < -HOUR_MS / 2 && offset > -HOUR_MS - HOUR_MS / 2 ? 0 : offset)).toISOString()
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The names of all fields, and of the fields of what they hold. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === FREE ? null : shapeOf(inner)]))
}
