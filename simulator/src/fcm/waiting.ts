import type { Message } from './message.ts'

/** A message as Google keeps it for a phone. `endsAt`: Unix ms. */
type Kept = { message: Message; endsAt: number }

/** Phones that are offline, with what waits for them; `lost` counts what Google dropped. */
export type Waiting = { phones: Map<string, Kept[]>; lost: number }

// Google: four collapse keys at a time, and a hundred messages without one, or all are dropped.
const KEYS = 4
const WITHOUT_KEY = 100

/** True when the phone is offline: the message is kept, or dropped with others. */
export function keepForOffline(waiting: Waiting, message: Message, now: number): boolean {
  const kept = waiting.phones.get(message.to)
  if (kept === undefined) return false
  const { collapseKey: key } = message
  const others = kept.filter((one) => key === null || one.message.collapseKey !== key)
  const added = [...others, { message, endsAt: now + message.ttlSeconds * 1_000 }]
  const left = key === null ? withoutTooMany(added) : withFourKeys(added)
  waiting.lost += added.length - left.length
  waiting.phones.set(message.to, left)
  return true
}

export function setOffline(waiting: Waiting, token: string): void {
  if (!waiting.phones.has(token)) waiting.phones.set(token, [])
}

/** What the phone gets now that it is online. */
export function setOnline(waiting: Waiting, token: string, now: number): Message[] {
  const kept = waiting.phones.get(token) ?? []
  waiting.phones.delete(token)
  return kept.filter(({ endsAt }) => endsAt > now).map(({ message }) => message)
}

function withoutTooMany(kept: Kept[]): Kept[] {
  const isPlain = ({ message }: Kept) => message.collapseKey === null
  return kept.filter(isPlain).length > WITHOUT_KEY ? kept.filter((one) => !isPlain(one)) : kept
}

/** Google does not promise which of the keys goes; here it is the oldest. */
function withFourKeys(kept: Kept[]): Kept[] {
  const keys = new Set(kept.flatMap(({ message }) => message.collapseKey ?? []))
  const [oldest] = keys
  return keys.size > KEYS ? kept.filter(({ message }) => message.collapseKey !== oldest) : kept
}
