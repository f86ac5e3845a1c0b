import { errors } from './errors.ts'

export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`There is no ${what}.`)
  return value
}

/** 404 when there is none; `what` as in "This user". */
export function existing<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw errors.notFound(what)
  return value
}
