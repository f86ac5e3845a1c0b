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
  isShown: boolean
  isDismissed: boolean
  dueAt: number
  askedAt: number
  receipt: PlannedReceipt
  /** Only the counters have it. */
  isLetGo: boolean
}

type SkipReason = 'deleted' | 'opted_out' | 'no_device' | 'stale' | 'stopped'
/** `hasRow` false: only the counters have it. */
type ModelSkip = { person: ModelPerson; reason: SkipReason; at: number; hasRow: boolean }

export type ModelMessage = {
  messageId: number
  isCampaign: boolean
  /** Everybody who is there when it is coordinated. */
  isToAll: boolean
  isToOne: boolean
  isCoordinated: boolean
  /** When its people were put into batches. */
  batchedAt: number
  selected: number
  undecided: { person: ModelPerson; dueAt: number }[]
  expiresAt: number
  skipped: ModelSkip[]
  copies: ModelCopy[]
  isRestored: boolean
  isStopped: boolean
  letGoAt: number | undefined
}

type ModelEntry = { message: ModelMessage; madeAt: number; isRead: boolean; isArchived: boolean }

/** What the provider says of a push when its receipt is asked for. */
export type PlannedReceipt = 'delivered' | 'undelivered' | 'missing'

export type LedgerModel = {
  homes: number
  messages: ModelMessage[]
  inboxes: Map<ModelPerson, ModelEntry[]>
  /** The receipts of pushes to a phone that leave from now on. */
  receipts: Map<number, PlannedReceipt>
}

/** The provider answers a copy with a ticket, or refuses it for now or for ever. */
export type Faults = ReadonlyMap<number, 'later' | 'never'>

const TRIES = 4
/** Work that came back so often waits longer. */
const OFTEN = 3
const RETRY_MS = 60_000
const DAY_MS = 86_400_000

export function createModel(people: readonly ModelPerson[], homes: number): LedgerModel {
  return { homes, messages: [], inboxes: new Map(people.map((person) => [person, []])), receipts: new Map() }
}

/** `people` undefined: everybody. */
export function addMessage(
  model: LedgerModel,
  message: Pick<ModelMessage, 'messageId' | 'isCampaign' | 'expiresAt'> & {
    people: ModelPerson[] | undefined
    now: number
  },
): void {
  const { people, now, ...told } = message
  const inOrder = people?.toSorted((a, b) => a.userId - b.userId) ?? []
  model.messages.push({
    ...told,
    isToAll: people === undefined,
    isToOne: people?.length === 1,
    isCoordinated: people !== undefined,
    batchedAt: now,
    selected: inOrder.length,
    undecided: inOrder.map((person) => ({ person, dueAt: now })),
    skipped: [],
    copies: [],
    isRestored: false,
    isStopped: false,
    letGoAt: undefined,
  })
}

/** All that is due is decided and sent once; transactional messages go first. */
export function deliver(model: LedgerModel, moment: Moment, faults: Faults): void {
  for (const message of model.messages) if (!message.isCoordinated) coordinate(model, message, moment.now)
  claim(model, moment, faults)
}

function coordinate(model: LedgerModel, message: ModelMessage, now: number): void {
  const people = listPresent(model)
  Object.assign(message, { isCoordinated: true, batchedAt: now, selected: people.length })
  for (const person of people)
    if (person.isOptedIn) message.undecided.push({ person, dueAt: now })
    else skip(message, person, 'opted_out', now)
}

function claim(model: LedgerModel, { now, isNight }: Moment, faults: Faults): void {
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
          receipt: model.receipts.get(copy.deviceId) ?? 'delivered',
          isRead: hasRead(model, message, copy),
        })
    }
}

type Moment = { now: number; isNight: boolean }
type Answer = { fault: 'later' | 'never' | undefined; receipt: PlannedReceipt }

/** Copies that a worker asked for and forgot, as it will store them late: those of this attempt alone. */
export type Forgotten = { copy: ModelCopy; attempts: number }[]
/** A worker asks for all that is due of a message and stores nothing; after its lease the sweep finds that. */
export function forget(
  model: LedgerModel,
  message: ModelMessage,
  { now, isNight, later }: Moment & { later: number },
): Forgotten {
  const before = new Map(message.copies.map((copy) => [copy, copy.attempts]))
  claim({ ...model, messages: [message] }, { now, isNight }, new Map())
  const attempted = message.copies.filter((copy) => copy.attempts > (before.get(copy) ?? 0))
  const retried = attempted.filter(({ attempts }) => attempts < TRIES)
  const wait = retried.some(({ attempts }) => attempts >= OFTEN) ? 2 * RETRY_MS : RETRY_MS
  for (const copy of attempted) {
    copy.state = retried.includes(copy) ? 'waits' : 'ended'
    copy.isDoubtful = true
    copy.dueAt = now + wait
  }
  for (const overdue of model.messages.filter(({ expiresAt, isStopped }) => expiresAt <= later && !isStopped)) {
    for (const waiting of [...overdue.undecided, ...overdue.copies]) waiting.dueAt = Math.min(waiting.dueAt, later)
    claim({ ...model, messages: [overdue] }, { now: later, isNight: false }, new Map())
  }
  return attempted.map((copy) => ({ copy, attempts: copy.attempts }))
}

/** A late answer of a forgotten request is stored for the copies that no later request has taken, ended ones too. */
export function storeLate(forgotten: Forgotten): void {
  const still = forgotten.filter(({ copy, attempts }) => copy.state !== 'sent' && copy.attempts === attempts)
  for (const { copy } of still) Object.assign(copy, { state: 'sent', isDoubtful: false })
}

function decideOne(model: LedgerModel, message: ModelMessage, person: ModelPerson, { now, isNight }: Moment): void {
  if (person.isGone) return skip(message, person, 'deleted', now)
  const isUnwanted = !wants(person, message)
  const entries = model.inboxes.get(person) ?? []
  const entry = entries.find((one) => one.message === message)
  // Who wants no promotions has none in the inbox.
  if (!entry && !(isUnwanted && message.isToAll))
    entries.push({ message, madeAt: now, isRead: false, isArchived: false })
  if (isUnwanted) skip(message, person, 'opted_out', now)
  else if (person.isAsleep && isNight && message.expiresAt > now)
    message.undecided.push({ person, dueAt: nextMorning(now) })
  else if (person.deviceIds.length === 0) skip(message, person, 'no_device', now)
  else if (entry?.isRead) skip(message, person, 'stale', now)
  else
    for (const deviceId of person.deviceIds) {
      const isDoubtful = message.isRestored && message.expiresAt <= now
      message.copies.push({ ...newCopy(person, deviceId, now), isDoubtful })
    }
}

function hasRead(model: LedgerModel, message: ModelMessage, { person }: Pick<ModelCopy, 'person'>): boolean {
  return (model.inboxes.get(person) ?? []).some((entry) => entry.message === message && entry.isRead)
}

/** A campaign to named people ignores their preference. */
function wants({ isOptedIn }: ModelPerson, { isCampaign, isToAll }: ModelMessage): boolean {
  return isOptedIn || (isCampaign && !isToAll)
}

function skip(message: ModelMessage, person: ModelPerson, reason: SkipReason, at: number): void {
  message.skipped.push({ person, reason, at, hasRow: true })
}

function newCopy(person: ModelPerson, deviceId: number, dueAt: number): ModelCopy {
  const none = { attempts: 0, duplicates: 0, askedAt: 0, receipt: 'delivered' as const }
  const isNot = { isDoubtful: false, isOpened: false, isShown: false, isDismissed: false, isLetGo: false }
  return { person, deviceId, state: 'waits', ...none, ...isNot, dueAt }
}

function attempt(
  message: ModelMessage,
  copy: ModelCopy,
  { now, isNight, fault, receipt, isRead }: Moment & Answer & { isRead: boolean },
): void {
  const { person } = copy
  if (message.expiresAt <= now) return void (copy.state = 'ended')
  const isUnwanted = person.isGone || !wants(person, message)
  if (!isUnwanted && person.isAsleep && isNight) return void (copy.dueAt = nextMorning(now))
  if (isUnwanted || isRead || !person.deviceIds.includes(copy.deviceId)) return void (copy.state = 'ended')
  if (copy.isDoubtful || (message.isRestored && copy.attempts === 0)) copy.duplicates++
  copy.isDoubtful = false
  copy.attempts++
  copy.askedAt = now
  copy.receipt = receipt
  if (fault === undefined) copy.state = 'sent'
  else if (fault === 'never' || copy.attempts === TRIES) copy.state = 'ended'
  else copy.dueAt = now + RETRY_MS
}

/** All that has a ticket is asked about. A receipt may be missing until the provider forgets it after a day. */
export function receive(model: LedgerModel, now: number): void {
  for (const copy of model.messages.flatMap(({ copies }) => copies)) {
    if (copy.state !== 'sent' || copy.isLetGo) continue
    if (now - copy.askedAt >= DAY_MS) copy.state = 'undelivered'
    else if (copy.receipt !== 'missing') copy.state = copy.receipt
  }
}

export function nextMorning(now: number): number {
  return (Math.floor((now - 7 * 3_600_000) / DAY_MS) + 1) * DAY_MS + 7 * 3_600_000
}

/** Who was not purged. */
export function listPresent({ inboxes }: LedgerModel): ModelPerson[] {
  return [...inboxes.keys()].filter(({ isGone }) => !isGone)
}

export function listEntries(model: LedgerModel, person: ModelPerson): ModelEntry[] {
  return model.inboxes.get(person) ?? []
}
