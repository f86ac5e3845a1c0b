/** The whole days before today, in the viewer's time zone: both ends, as the API takes them. */
export function lastDays(count: number): { start_date: string; end_date: string } {
  return { start_date: dayBefore(count), end_date: dayBefore(1) }
}

function dayBefore(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() - days)
  return new Intl.DateTimeFormat('en-CA').format(date)
}

export function viewersZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A moment as a field for dates and times has it, in the viewer's time zone. */
export function toDateField(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
