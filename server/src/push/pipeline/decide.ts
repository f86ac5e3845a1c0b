import type { Platform, SkipReason } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import type { FindWish } from '../checks/checks.ts'
import { addCopies, copyAt, end } from '../ledger/ledger.ts'
import { endWork, skip, type Plan } from '../ledger/plan.ts'
import { toWay } from '../ledger/ways.ts'
import type { DueWork } from '../ledger/work.queries.ts'
import { reachedBy, type Person, type Phone } from './reachable-phones.queries.ts'

export type Ready = { work: DueWork; place: number; userId: number; phone: Phone }

export type Known = {
  findPerson: (userId: number) => Person
  findWish: FindWish
  /** Who has read the entry, while the push waited. */
  hasRead: (messageId: number, userId: number) => boolean
}

/** The provider that sends now, and the platforms to which it sends nothing. */
export type SendingWay = { provider: string; paused: ReadonlySet<Platform> }
/** `endsWith`: nobody sends, and the copies end at once with this code. */
type Way = SendingWay | { endsWith: string }

/**
 * Makes an entry for each person whose inbox shows the message, and a copy for each phone of those who may be
 * notified; notes why the others get none (spec: sending rules 2 and 3). Copies of another provider wait for it as work
 * of their own (ADR 4).
 */
export function decide(plan: Plan, work: DueWork, known: Known, way: Way): Ready[] {
  const ledger = plan.ledger(work.batchId)
  const phones: OwnPhone[] = []
  const later: { place: number; until: Date }[] = []
  for (const owner of work.places) {
    const userId = must(ledger.userIds[owner], 'user of a batch')
    const { phones: own } = known.findPerson(userId)
    const answer = mayRing(work, userId, known)
    enter(plan, work, userId, answer)
    if (answer === null) {
      for (const phone of own) phones.push({ owner, phone })
      const { messageId } = work
      if (work.is_entered) plan.followed.push({ userId, messageId, ways: own.map(toWay) })
    } else if (answer instanceof Date) later.push({ place: owner, until: answer })
    else skip(plan, work, [owner], answer === 'muted' ? 'opted_out' : answer)
  }
  putOff(plan, work, later)
  return phones.length > 0 ? copiesFor(plan, work, phones, way) : []
}

type OwnPhone = { owner: number; phone: Phone }

function copiesFor(plan: Plan, work: DueWork, phones: OwnPhone[], way: Way): Ready[] {
  const ledger = plan.ledger(work.batchId)
  plan.changed.add(work.batchId)
  const added = addCopies(ledger, phones, plan.now)
  if ('endsWith' in way) {
    for (const place of added) end(ledger, place, way.endsWith, plan.now)
    return []
  }
  const copies = phones.map(({ phone, owner }, n) => ({
    work,
    place: must(added[n], 'place of a copy'),
    userId: must(ledger.userIds[owner], 'user of a batch'),
    phone,
  }))
  const { batchId, messageId } = work
  const byProvider = Map.groupBy(copies, ({ phone }) => phone.provider)
  for (const [provider, own] of byProvider) {
    const places = own.map(({ place }) => place)
    if (provider !== way.provider) plan.later.push({ batchId, messageId, provider, places, dueAt: plan.now })
  }
  return withoutPaused(plan, byProvider.get(way.provider) ?? [], way)
}

/** Copies of a paused platform wait until it is resumed, at most as long as their message does. */
function withoutPaused(plan: Plan, copies: Ready[], { provider, paused }: SendingWay): Ready[] {
  const isPaused = ({ phone }: Ready) => paused.has(phone.platform)
  for (const [platform, own] of Map.groupBy(copies.filter(isPaused), ({ phone }) => phone.platform)) {
    const { batchId, messageId, expires_at: dueAt } = must(own[0], 'copy of a platform').work
    const places = own.map(({ place }) => place)
    plan.later.push({ batchId, messageId, provider, places, dueAt, is_entered: true, platform })
  }
  return copies.filter((copy) => !isPaused(copy))
}

/**
 * Owner, session, preferences and quiet hours of copies that wait, and what was read, are checked again (B10, B27).
 * They stay with the provider for which they wait, whichever the phone is reached by now.
 */
export function recheck(plan: Plan, work: DueWork, known: Known, way: SendingWay): Ready[] {
  const ledger = plan.ledger(work.batchId)
  const later: { place: number; until: Date }[] = []
  const ready = work.places.flatMap((place): Ready[] => {
    const { userId, deviceId } = copyAt(ledger, place)
    const own = known.findPerson(userId).phones.find((one) => one.deviceId === deviceId)
    const phone = own && reachedBy(own, way.provider)
    const answer = mayRing(work, userId, known)
    if (answer instanceof Date) later.push({ place, until: answer })
    else if (phone !== undefined && answer === null) return [{ work, place, userId, phone }]
    else endWork(plan, { ...work, places: [place] }, { code: toCode(answer), reason: 'stopped' })
    return []
  })
  putOff(plan, work, later)
  return withoutPaused(plan, ready, way)
}

/** Quiet hours put pushes off. Those of the same moment wait together, and have their entries. */
function putOff(plan: Plan, work: DueWork, later: { place: number; until: Date }[]): void {
  for (const [until, own] of Map.groupBy(later, (one) => one.until.getTime()))
    plan.later.push({ ...work, is_entered: true, places: own.map(({ place }) => place), dueAt: new Date(until) })
}

function toCode(answer: Exclude<Answer, Date>): string {
  if (answer === 'stale') return 'MessageStale'
  return answer === null || answer === 'no_device' || answer === 'signed_out' ? 'DeviceMoved' : 'RecipientUnavailable'
}

/** Why it may not leave; a moment: not before; null: it may. */
type Answer = SkipReason | 'muted' | Date | null

/** Nobody is rung for what they have read. */
function mayRing(work: DueWork, userId: number, { findPerson, findWish, hasRead }: Known): Answer {
  const answer = mayLeave(findPerson(userId), work, findWish(work, userId))
  return answer === null && hasRead(work.messageId, userId) ? 'stale' : answer
}

function mayLeave(person: Person, { needs_opt_in, is_inbox_only }: DueWork, wish: ReturnType<FindWish>): Answer {
  if (person.barred !== null) return person.barred
  if (needs_opt_in && !person.isOptedIn) return 'opted_out'
  if (is_inbox_only) return 'inbox_only'
  if (wish === 'never') return 'muted'
  if (wish !== 'now') return wish
  if (person.phones.length > 0) return null
  return person.hasPhone ? 'signed_out' : 'no_device'
}

/** An entry in the inbox, a copy, or both (decision B25). Who was put off has the entry already. */
function enter(plan: Plan, work: DueWork, userId: number, answer: Answer): void {
  const isListed = isForInbox(work, answer) && !work.is_chat && !work.is_entered
  const hasCopy = answer === null
  if (isListed || hasCopy)
    plan.entries.push({ userId, messageId: work.messageId, isBulk: work.audience !== 'users', isListed, hasCopy })
}

/** Who cannot or will not be rung has the message in the inbox, but who wants no promotions has none. */
function isForInbox({ type }: DueWork, answer: Answer): boolean {
  if (answer === 'opted_out') return type === 'non_promotional'
  return answer !== 'deleted' && answer !== 'inactive'
}
