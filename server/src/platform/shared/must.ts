/** Returns `value`, which must exist; otherwise throws an error that names `what` is missing. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`There is no ${what}.`)
  return value
}
