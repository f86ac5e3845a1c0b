import type { Config } from './config.ts'
import type { Environment } from './readers.ts'
import { SETTINGS } from './settings.ts'

const DISTANCE_MOST = 2
const LENGTH_MOST = 64
const NAMES = Object.keys(SETTINGS)
// First words that other programs use too.
const COMMON = new Set(['NODE', 'OTEL', 'LOG', 'OPEN', 'DATA', 'DEMO', 'MESSAGE', 'LINK', 'STREAM', 'LIMITS'])
const OWN_WORDS = new Set(
  NAMES.filter((name) => name.includes('_'))
    .map(firstWord)
    .filter((word) => !COMMON.has(word)),
)
// Kubernetes sets such variables for services of the same namespace: DATABASE_SERVICE_HOST, DATABASE_PORT_5432_TCP.
const FROM_KUBERNETES = /_SERVICE_(?:HOST|PORT)|_PORT_\d+_/
const OWN_NAME = /^SWAPBELL_/
// The containers of compose.yaml get all of .env, which has these for the file itself.
const OF_COMPOSE = ['DATABASE_PASSWORD', 'DATABASE_MEMORY', 'DATABASE_PORT']

/**
 * Variables that look like settings but are none, as sentences with the setting meant; never their values. Providers
 * may have keys in variables of any name.
 */
export function unknownSettings(
  env: Environment,
  { PUSH_PROVIDERS_FILE: providers }: Pick<Config, 'PUSH_PROVIDERS_FILE'> = { PUSH_PROVIDERS_FILE: [] },
): string[] {
  const known = new Set<unknown>([
    ...NAMES,
    ...OF_COMPOSE,
    ...providers.flatMap(({ settings }) => Object.values(settings)),
  ])
  return Object.keys(env)
    .filter((name) => !known.has(name) && name.length <= LENGTH_MOST && !FROM_KUBERNETES.test(name))
    .flatMap((name) => {
      const closest = closestTo(name.replace(OWN_NAME, ''))
      if (closest === undefined && !OWN_WORDS.has(firstWord(name))) return []
      return [`${name} is not a setting and is ignored${closest === undefined ? '' : `: ${closest} is`}.`]
    })
}

function firstWord(name: string): string {
  return name.split('_', 1)[0] ?? ''
}

function closestTo(name: string): string | undefined {
  if (NAMES.includes(name)) return name
  const [closest] = NAMES.map((known) => ({ known, distance: measureDistance(name, known) }))
    .filter(({ known, distance }) => distance <= DISTANCE_MOST && known.length >= 6)
    .toSorted((one, other) => one.distance - other.distance)
  return closest?.known
}

function measureDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > DISTANCE_MOST) return Infinity
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const replaced = row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[to]! + 1, next[to - 1]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
