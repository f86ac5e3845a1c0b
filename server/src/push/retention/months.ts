/** The beginning of the UTC month after the one of a moment. */
export function monthAfter(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1))
}

/** The name of the partition that begins with a UTC month, such as `notifications_2026_12`. */
export function partitionOf(month: Date): string {
  return `notifications_${month.toISOString().slice(0, 7).replace('-', '_')}`
}
