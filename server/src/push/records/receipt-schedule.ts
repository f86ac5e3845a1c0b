/** Expo: receipts are kept 24 h. */
export const RECEIPTS_KEPT_MS = 24 * 60 * 60 * 1_000

// The usual delay of 15 minutes makes them 15 and 30 minutes, 1, 3, 6, 12, 20 and 23.5 hours after the send.
const STEPS = [1, 2, 4, 12, 24, 48, 80, 94]

export function firstReceiptAt(sentAt: Date, delaySeconds: number): Date {
  return new Date(sentAt.getTime() + delaySeconds * 1_000)
}

/** The intervals grow, and the last try is after 24 h. Undefined after that. */
export function nextReceiptAt(sentAt: Date, now: Date, delaySeconds: number): Date | undefined {
  const age = now.getTime() - sentAt.getTime()
  if (age >= RECEIPTS_KEPT_MS) return undefined
  const steps = STEPS.map((step) => step * delaySeconds * 1_000).filter((step) => step < RECEIPTS_KEPT_MS)
  // Ten seconds at least between two questions, or a delay near zero would ask in a circle.
  const next = steps.find((step) => step >= age + 10_000) ?? RECEIPTS_KEPT_MS
  return new Date(sentAt.getTime() + next)
}
