/** The ledger as plain lists. It follows the written rules and uses no code of the service. */
export type ModelPerson = {
  userId: number
  deviceIds: number[]
  isOptedIn: boolean
  /** Wants no push at night. */
  isAsleep: boolean
  isGone: boolean
}

export type CopyState = 'waits' | 'sent' | 'delivered' | 'undelivered' | 'ended'

export type ModelCopy = {
  person: ModelPerson
  deviceId: number
  state: CopyState
  attempts: number
  duplicates: number
  /** A request with it may have been made and forgotten. */
  isDoubtful: boolean
  isOpened: boolean
  dueAt: number
  askedAt: number
}

export type ModelMessage = {
  messageId: number
  isCampaign: boolean
  selected: number
  undecided: { person: ModelPerson; dueAt: number }[]
  expiresAt: number
  skipped: ModelPerson[]
  copies: ModelCopy[]
  isRestored: boolean
  isStopped: boolean
}

type ModelEntry = { message: ModelMessage; isRead: boolean; isArchived: boolean }

export type LedgerModel = { messages: ModelMessage[]; inboxes: Map<ModelPerson, ModelEntry[]> }

/** The provider answers a copy with a ticket, or refuses it for now or for ever. */
export type Faults = ReadonlyMap<number, 'later' | 'never'>

const TRIES = 4
/** Work that came back so often waits longer. */
const OFTEN = 3
const RETRY_MS = 60_000
const DAY_MS = 86_400_000

export function createModel(people: readonly ModelPerson[]): LedgerModel {
  return { messages: [], inboxes: new Map(people.map((person) => [person, []])) }
}

export function addMessage(
  model: LedgerModel,
  message: Pick<ModelMessage, 'messageId' | 'isCampaign' | 'expiresAt'> & { people: ModelPerson[]; now: number },
): void {
  const { people, now, ...told } = message
  const undecided = people.toSorted((a, b) => a.userId - b.userId).map((person) => ({ person, dueAt: now }))
  model.messages.push({
    ...told,
    selected: people.length,
    undecided,
    skipped: [],
    copies: [],
    isRestored: false,
    isStopped: false,
  })
}

/** All that is due is decided and sent once; transactional messages go first. */
export function deliver(model: LedgerModel, { now, isNight }: { now: number; isNight: boolean }, faults: Faults): void {
  for (const lane of [false, true])
    for (const message of model.messages.filter(({ isCampaign, isStopped }) => isCampaign === lane && !isStopped)) {
      const due = message.undecided.filter(({ dueAt }) => dueAt <= now)
      message.undecided = message.undecided.filter(({ dueAt }) => dueAt > now)
      for (const { person } of due) decideOne(model, message, person, { now, isNight })
      for (const copy of message.copies.filter(({ state, dueAt }) => state === 'waits' && dueAt <= now))
        attempt(message, copy, {
          now,
          isNight,
          fault: faults.get(copy.deviceId),
          isRead: hasRead(model, message, copy),
        })
    }
}

type Moment = { now: number; isNight: boolean }

/** Copies that a worker asked for and forgot, as it will store them late: those of this attempt alone. */
export type Forgotten = { copy: ModelCopy; attempts: number }[]
/** A worker asks for all that is due of a message and stores nothing; after its lease the sweep finds that. */
export function forget(
  model: LedgerModel,
  message: ModelMessage,
  { now, isNight, later }: Moment & { later: number },
): Forgotten {
  const before = new Map(message.copies.map((copy) => [copy, copy.attempts]))
  deliver({ ...model, messages: [message] }, { now, isNight }, new Map())
  const asked = message.copies.filter((copy) => copy.attempts > (before.get(copy) ?? 0))
  const again = asked.filter(({ attempts }) => attempts < TRIES)
  const wait = again.some(({ attempts }) => attempts >= OFTEN) ? 2 * RETRY_MS : RETRY_MS
  for (const copy of asked) {
    copy.state = again.includes(copy) ? 'waits' : 'ended'
    copy.isDoubtful = true
    copy.dueAt = now + wait
  }
  for (const overdue of model.messages.filter(({ expiresAt, isStopped }) => expiresAt <= later && !isStopped)) {
    const all = { messages: [overdue], inboxes: model.inboxes }
    for (const waiting of [...overdue.undecided, ...overdue.copies]) waiting.dueAt = Math.min(waiting.dueAt, later)
    deliver(all, { now: later, isNight: false }, new Map())
  }
  return asked.map((copy) => ({ copy, attempts: copy.attempts }))
}

/** A late answer of a forgotten request is stored for the copies that no later request has taken. */
export function storeLate(forgotten: Forgotten): void {
  for (const { copy, attempts } of forgotten)
    if (copy.state === 'waits' && copy.attempts === attempts) Object.assign(copy, { state: 'sent', isDoubtful: false })
}

function decideOne(model: LedgerModel, message: ModelMessage, person: ModelPerson, { now, isNight }: Moment): void {
  if (person.isGone) return void message.skipped.push(person)
  const entries = model.inboxes.get(person) ?? []
  if (!entries.some((entry) => entry.message === message)) entries.push({ message, isRead: false, isArchived: false })
  if (!message.isCampaign && !person.isOptedIn) message.skipped.push(person)
  else if (person.isAsleep && isNight && message.expiresAt > now)
    message.undecided.push({ person, dueAt: nextMorning(now) })
  else if (person.deviceIds.length === 0 || hasRead(model, message, { person })) message.skipped.push(person)
  else
    for (const deviceId of person.deviceIds) {
      const isDoubtful = message.isRestored && message.expiresAt <= now
      message.copies.push({ ...newCopy(person, deviceId, now), isDoubtful })
    }
}

function hasRead(model: LedgerModel, message: ModelMessage, { person }: Pick<ModelCopy, 'person'>): boolean {
  return (model.inboxes.get(person) ?? []).some((entry) => entry.message === message && entry.isRead)
}

function newCopy(person: ModelPerson, deviceId: number, dueAt: number): ModelCopy {
  const none = { attempts: 0, duplicates: 0, askedAt: 0 }
  return { person, deviceId, state: 'waits', ...none, isDoubtful: false, isOpened: false, dueAt }
}

function attempt(
  message: ModelMessage,
  copy: ModelCopy,
  { now, isNight, fault, isRead }: Moment & { fault: 'later' | 'never' | undefined; isRead: boolean },
): void {
  const { person } = copy
  if (message.expiresAt <= now) return void (copy.state = 'ended')
  const isUnwanted = person.isGone || (!message.isCampaign && !person.isOptedIn)
  if (!isUnwanted && person.isAsleep && isNight) return void (copy.dueAt = nextMorning(now))
  if (isUnwanted || isRead || !person.deviceIds.includes(copy.deviceId)) return void (copy.state = 'ended')
  if (copy.isDoubtful || (message.isRestored && copy.attempts === 0)) copy.duplicates++
  copy.isDoubtful = false
  copy.attempts++
  copy.askedAt = now
  if (fault === undefined) copy.state = 'sent'
  else if (fault === 'never' || copy.attempts === TRIES) copy.state = 'ended'
  else copy.dueAt = now + RETRY_MS
}

/** Receipts of all that has a ticket. A provider forgets them after a day. */
export function receive(model: LedgerModel, state: 'delivered' | 'undelivered', now: number): void {
  for (const copy of model.messages.flatMap(({ copies }) => copies))
    if (copy.state === 'sent') copy.state = now - copy.askedAt < DAY_MS ? state : 'undelivered'
}

/** Quiet hours begin or end to be wanted: what they put off of the person's messages is decided again. */
export function changeQuietHours(model: LedgerModel, person: ModelPerson, now: number): void {
  person.isAsleep = !person.isAsleep
  const told = listEntries(model, person).map(({ message }) => message)
  for (const { undecided, copies } of told.filter(({ isStopped, expiresAt }) => !isStopped && expiresAt > now))
    for (const waiting of [...undecided, ...copies])
      if (waiting.dueAt > now && waiting.dueAt === nextMorning(waiting.dueAt - 1)) waiting.dueAt = now
}

function nextMorning(now: number): number {
  return (Math.floor((now - 7 * 3_600_000) / DAY_MS) + 1) * DAY_MS + 7 * 3_600_000
}

export function open(model: LedgerModel, person: ModelPerson, message: ModelMessage): void {
  for (const copy of message.copies) if (copy.person === person) copy.isOpened = true
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

export function stop(message: ModelMessage): void {
  message.isStopped = true
  message.skipped.push(...message.undecided.map(({ person }) => person))
  message.undecided = []
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
    if (waiting.length + message.undecided.length > 0) message.isRestored = true
  }
}

export function listEntries(model: LedgerModel, person: ModelPerson): ModelEntry[] {
  return model.inboxes.get(person) ?? []
}
