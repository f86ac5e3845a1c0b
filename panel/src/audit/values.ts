/** A text as it is, a list of texts with commas, and all else as JSON. */
export function writeValue(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'string') return value
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
  return isList ? value.join(', ') : JSON.stringify(value)
}
