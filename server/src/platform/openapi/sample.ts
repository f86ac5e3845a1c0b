import type { Json, JsonObject } from './components.ts'

const MOMENT = '2026-11-01T12:00:00.000Z'
const ANY_UUID = '7d444840-9dc0-41d1-8245-5ffdce74fad2'
const IMAGE = 'https://images.example/1.jpg'

const FORMATS: Record<string, string> = { 'date-time': MOMENT, date: MOMENT.slice(0, 10) }

/** Fields whose names say what they hold. */
const NAMES: Record<string, Json> = {
  address: 'ann@example.com',
  avatar_url: IMAGE,
  body: 'Two days of swaps near you',
  city: 'Ghent',
  code: 'plus',
  currency: 'EUR',
  description: 'As new',
  details: 'We had agreed on Saturday at noon.',
  email: 'ann@example.com',
  end: '07:00',
  images: IMAGE,
  ip: '192.0.2.7',
  language: 'en',
  message: 'Done',
  name: 'Ann',
  network: '192.0.2.0/24',
  note: 'They agreed on it.',
  per_page: 20,
  phone: '+3225550100',
  provider: 'expo',
  providers: 'expo',
  slug: 'board-games',
  recovery_codes: 'ABCD-EFGH-2345-IJKL',
  start: '22:00',
  text: 'Two days of swaps near you',
  time_zone: 'Europe/Brussels',
  timestamp: MOMENT,
  timezone: 'Europe/Brussels',
  title: 'Swap weekend',
  token: 'eyJhbGciOi.eyJzdWIiOi.xxxxxxxx',
  url: 'https://swapbell.example',
  user_agent: 'Mozilla/5.0',
  username: 'ann',
  value: 1,
  version: 8,
}

/**
 * A value that fits the schema of an answer, with the fields that an answer always has. Undefined where the schema
 * allows anything.
 */
export function sample(schema: JsonObject, name = ''): Json | undefined {
  const [example] = (schema['examples'] ?? []) as Json[]
  if (example !== undefined) return example
  if (schema['const'] !== undefined) return schema['const']
  const [type = '', orNull] = [schema['type'] ?? []].flat() as string[]
  // A nullable moment, such as `deleted_at`, is null in the example.
  if (orNull === 'null' && type !== 'object' && NAMES[name] === undefined) return null
  if (schema['enum'] !== undefined) return (schema['enum'] as Json[])[0]
  const [alternative] = (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonObject[]
  if (alternative !== undefined) return sample(alternative, name)
  switch (type) {
    case 'object':
      return sampleObject(schema)
    case 'array':
      return [sample(schema['items'] as JsonObject, name)].filter((one) => one !== undefined)
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return sampleNumber(schema, name)
    case 'string':
      return sampleText(schema, name)
    default:
      return undefined
  }
}

function sampleObject({ properties = {}, required = [] }: JsonObject): JsonObject {
  const fields = (required as string[]).map((name) => [
    name,
    sample((properties as JsonObject)[name] as JsonObject, name),
  ])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as JsonObject
}

function sampleNumber({ minimum = 1, maximum = 1_000 }: JsonObject, name: string): number {
  const usual = typeof NAMES[name] === 'number' ? NAMES[name] : /(?:^|_)id$/.test(name) ? 7 : 1
  return Math.min(Math.max(usual, minimum as number), maximum as number)
}

function sampleText({ format, maxLength = 100 }: JsonObject, name: string): string {
  const known = FORMATS[format as string] ?? NAMES[name]
  if (typeof known === 'string') return known
  return (/(?:^|_)id$/.test(name) ? ANY_UUID : name.replaceAll('_', ' ')).slice(0, maxLength as number)
}
