import { SETTINGS } from './settings.ts'

const DISTANCE_MOST = 2
const LENGTH_MOST = 64
// First words that other programs use too. For settings that begin with these, the first two words must agree.
const COMMON = new Set([
  'NODE',
  'OTEL',
  'POSTGRES',
  'LOG',
  'GOOGLE',
  'API',
  'OPEN',
  'DATA',
  'DEMO',
  'MESSAGE',
  'LINK',
  'STREAM',
])
// Kubernetes sets such variables for services of the same namespace: DATABASE_SERVICE_HOST, DATABASE_PORT_5432_TCP.
const FROM_KUBERNETES = /_SERVICE_(?:HOST|PORT)|_PORT_\d+_/
const OWN_NAME = 'SWAPBELL_'

/** Variables that look like settings but are none, as sentences with the setting meant; never their values. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  return Object.keys(env)
    .filter((name) => !Object.hasOwn(SETTINGS, name) && name.length <= LENGTH_MOST && !FROM_KUBERNETES.test(name))
    .flatMap((name) => {
      const closest = closestTo(name)
      if (closest !== undefined) return [`${name} is not a setting and is ignored: ${closest} is.`]
      const family = NAMES.filter((known) => areOfOneFamily(name, known))
      if (family.length === 0) return []
      const meant = mostAlike(name, family)
      return [`${name} is not a setting and is ignored${meant === undefined ? '' : `: perhaps ${meant} is meant`}.`]
    })
}

const NAMES = Object.keys(SETTINGS)

/** A misspelt setting, or one with the name of the service before it. */
function closestTo(name: string): string | undefined {
  const own = name.startsWith(OWN_NAME) ? name.slice(OWN_NAME.length) : name
  if (own !== name && Object.hasOwn(SETTINGS, own)) return own
  const [closest] = NAMES.map((known) => ({ known, distance: distanceOf(own, known) }))
    .filter(({ known, distance }) => distance <= DISTANCE_MOST && known.length >= 6)
    .toSorted((one, other) => one.distance - other.distance)
  return closest?.known
}

/** They begin with one word that only our settings have, or with two. */
function areOfOneFamily(name: string, known: string): boolean {
  const [words, others] = [name.split('_'), known.split('_')]
  const same = words[0] === others[0]
  return same && (!COMMON.has(words[0] ?? '') ? others.length > 1 : areAlike(words[1], others[1]))
}

function mostAlike(name: string, family: string[]): string | undefined {
  const [, ...words] = name.split('_')
  const shared = (known: string) => {
    const [, ...others] = known.split('_')
    return words.filter((word) => others.some((other) => areAlike(word, other))).length
  }
  if (family.length === 1) return family[0]
  const most = Math.max(...family.map(shared))
  const [first, second] = family.filter((known) => shared(known) === most)
  return most > 0 && second === undefined ? first : undefined
}

/** Two words that are the same but for their ends, such as PROXY and PROXIES. */
function areAlike(one = '', other = ''): boolean {
  const length = Math.min(one.length, other.length, 4)
  return length >= 3 && one.slice(0, length) === other.slice(0, length)
}

function distanceOf(one: string, other: string): number {
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
