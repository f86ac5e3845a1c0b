/**
 * The JSON text of a value that came as JSON, with the fields of objects in one order: equal for two values that differ in
 * the order of their fields alone. Takes the time of one pass; values are nested 32 deep at most (decision A6).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]))
}
