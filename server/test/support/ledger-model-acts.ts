import {
  listEntries,
  listPresent,
  nextMorning,
  type LedgerModel,
  type ModelMessage,
  type ModelPerson,
} from './ledger-model.ts'

const DAY_MS = 86_400_000

export function isRunning({ isStopped, isCoordinated, undecided, copies }: ModelMessage): boolean {
  return !isStopped && (!isCoordinated || undecided.length > 0 || copies.some(({ state }) => state === 'waits'))
}

/**
 * Quiet hours begin or end to be wanted: what they put off of the person's messages is decided again, with others of
 * the same home, who are in the same batch here.
 */
export function changeQuietHours(model: LedgerModel, person: ModelPerson, now: number): void {
  person.isAsleep = !person.isAsleep
  const toHome = ({ userId }: ModelPerson) => Math.floor(userId / 512) % model.homes
  const messages = listEntries(model, person).map(({ message }) => message)
  for (const { undecided, copies } of messages.filter(({ isStopped, expiresAt }) => !isStopped && expiresAt > now))
    for (const waiting of [...undecided, ...copies].filter((one) => toHome(one.person) === toHome(person)))
      if (waiting.dueAt > now && waiting.dueAt === nextMorning(waiting.dueAt - 1)) waiting.dueAt = now
}

export function open(model: LedgerModel, person: ModelPerson, message: ModelMessage): void {
  for (const copy of message.copies) if (copy.person === person && !copy.isLetGo) copy.isOpened = true
  for (const entry of listEntries(model, person)) if (entry.message === message) entry.isRead = true
}

export function readUpTo(model: LedgerModel, person: ModelPerson, message: ModelMessage): void {
  const entries = listEntries(model, person)
  const last = entries.findIndex((entry) => entry.message === message)
  for (const entry of entries.slice(0, last + 1)) entry.isRead = true
}

export function archive(model: LedgerModel, person: ModelPerson, message: ModelMessage): void {
  for (const entry of listEntries(model, person))
    if (entry.message === message) Object.assign(entry, { isRead: true, isArchived: true })
}

/** Whom a stopped message to everybody did not reach is counted, and has no row. */
export function stop(model: LedgerModel, message: ModelMessage, now: number): void {
  const left = message.isCoordinated ? message.undecided.map(({ person }) => person) : listPresent(model)
  if (!message.isCoordinated) message.selected = left.length
  for (const person of left) message.skipped.push({ person, reason: 'stopped', at: now, hasRow: !message.isToAll })
  Object.assign(message, { isStopped: true, isCoordinated: true, undecided: [] })
  for (const copy of message.copies) if (copy.state === 'waits') copy.state = 'ended'
}

export function purge(model: LedgerModel, person: ModelPerson): void {
  person.isGone = true
  person.deviceIds = []
  model.inboxes.set(person, [])
}

/** After a restore of a backup, a copy that waits may have been sent already. */
export function doubt(model: LedgerModel): void {
  for (const message of model.messages) {
    const waiting = message.copies.filter(({ state }) => state === 'waits')
    for (const copy of waiting) copy.isDoubtful = true
    if (isRunning(message)) message.isRestored = true
  }
}

/** `over`: when each message was over, by its id. */
type Retention = { before: number; now: number; over: ReadonlyMap<number, number> }

/**
 * What was made before goes when nothing waits, copies of sends to everybody that were over before, and a day later
 * transactional messages without entries.
 */
export function letGo(model: LedgerModel, { before, now, over }: Retention): void {
  for (const [person, entries] of model.inboxes)
    model.inboxes.set(
      person,
      entries.filter(({ madeAt }) => madeAt >= before),
    )
  const listed = new Set([...model.inboxes.values()].flatMap((entries) => entries.map(({ message }) => message)))
  for (const message of model.messages) {
    for (const skipped of message.skipped) if (skipped.at < before) skipped.hasRow = false
    if (message.batchedAt >= before) continue
    message.letGoAt ??= now
    const isKept = message.isToAll ? (over.get(message.messageId) ?? 0) >= before : listed.has(message)
    if (!isKept) for (const copy of message.copies) copy.isLetGo = true
  }
  const stays = (message: ModelMessage) =>
    message.isCampaign || (message.letGoAt ?? now) > now - DAY_MS || listed.has(message)
  model.messages = model.messages.filter(stays)
}
