import { SETTINGS } from './settings.ts'

const OURS =
  /^(?:PUSH|EXPO|JWT|AUDIT|RATE_LIMIT|RECEIPT|TRUSTED_PROX|CORS|LINK_SCHEME|MESSAGE_TTL|DEMO_DATA|DATABASE|DATA_DIR|ADMIN|API_DOCS)[A-Z_]*$/
const DISTANCE_MOST = 2

/**
 * A sentence for each variable of `env` that looks like a misspelt setting, which would otherwise be ignored silently.
 * Never its value.
 */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(SETTINGS)
  return Object.keys(env)
    .filter((name) => !Object.hasOwn(SETTINGS, name) && name.length <= 64)
    .flatMap((name) => {
      const [closest] = names
        .map((known) => ({ known, distance: distanceOf(name, known) }))
        .filter(({ known, distance }) => distance <= DISTANCE_MOST && known.length >= 6)
        .toSorted((one, other) => one.distance - other.distance)
      if (closest) return [`${name} is not a setting and is ignored: ${closest.known} is.`]
      return OURS.test(name) ? [`${name} is not a setting and is ignored.`] : []
    })
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
