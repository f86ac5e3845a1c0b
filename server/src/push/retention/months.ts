export function monthAfter(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1))
}

/** Such as `notifications_2026_12`. */
export function partitionOf(month: Date): string {
  return `notifications_${month.toISOString().slice(0, 7).replace('-', '_')}`
}
