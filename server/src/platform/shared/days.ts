export const DAY_MS = 86_400_000

/** UTC days as numbers since 1970-01-01, both included; none when the last is before the first. */
export type Days = { firstDay: number; lastDay: number }

export function toDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

export function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

export function dayAt(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS)
}

export function dayEnd(day: number): Date {
  return new Date((day + 1) * DAY_MS)
}
