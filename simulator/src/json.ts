/** Whether a value parsed from JSON is an object, neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value parsed from JSON is a string. */
export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Whether a value parsed from JSON is a whole number within the limits, both included. */
export function isWhole(value: unknown, from: number, to: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to
}
