import { must } from '../../platform/shared/must.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { toWay, type Way } from './ways.ts'

/** What of a copy is stored, a byte each. `sent`, `settled`, `changed`: a moment of the batch, from 1; 0: none. */
export const FACTS = [
  'owner',
  'way',
  'state',
  'code',
  'attempts',
  'tries',
  'round',
  'duplicates',
  'sent',
  'settled',
  'changed',
] as const
export type Fact = (typeof FACTS)[number]

/** A copy waits (created, failed), is asked for, has a ticket (sent, delivered, undelivered), or ended without one. */
export const COPY = { created: 0, asked: 1, failed: 2, sent: 3, delivered: 4, undelivered: 5, ended: 6 } as const

/** A batch can have one place less. Id of a message or batch times PLACES, plus a place, is unique. */
export const PLACES = 1_024
const MOST = 255

/** The copies of a batch, as they were read under its lock. Changes are stored with `storeLedgers`. */
export type Ledger = {
  batchId: number
  messageId: number
  userIds: readonly number[]
  deviceIds: number[]
  /** `''` for none. */
  tickets: string[]
  /** Codes and ways (`toWay`); a copy names one by its place, from 1. */
  words: string[]
  moments: Date[]
  facts: Record<Fact, Uint8Array>
  /** Copies were added, tickets came: otherwise these columns stay as they are. */
  isLonger: boolean
  hasTickets: boolean
}

export type Copy = {
  place: number
  userId: number
  deviceId: number
  provider: string
  platform: Platform
  state: number
  code: string | null
  tries: number
  round: number
  ticket: string
}

/** `owner`: the place of its user in the batch. */
export type NewCopy = { owner: number; phone: Way & { deviceId: number } }

export function copyAt(ledger: Ledger, place: number): Copy {
  const { facts, words } = ledger
  const fact = (name: Fact) => must(facts[name][place], 'fact of a copy')
  const [provider = '', platform] = must(words[fact('way') - 1], 'way of a copy').split(' ')
  const code = fact('code')
  return {
    place,
    userId: must(ledger.userIds[fact('owner')], 'user of a copy'),
    deviceId: must(ledger.deviceIds[place], 'device of a copy'),
    provider,
    platform: platform as Platform,
    state: fact('state'),
    code: code === 0 ? null : must(words[code - 1], 'code of a copy'),
    tries: fact('tries'),
    round: fact('round'),
    ticket: must(ledger.tickets[place], 'ticket of a copy'),
  }
}

/** Adds copies that wait; gives their places. */
export function addCopies(ledger: Ledger, copies: readonly NewCopy[], at: Date): number[] {
  const { deviceIds, tickets, facts } = ledger
  if (deviceIds.length + copies.length >= PLACES)
    throw new Error(`Batch ${ledger.batchId} has no place for more copies.`)
  for (const name of FACTS) facts[name] = longer(facts[name], copies.length)
  ledger.isLonger = true
  return copies.map(({ owner, phone }) => {
    const place = deviceIds.push(phone.deviceId) - 1
    tickets[place] = ''
    facts.owner[place] = owner
    facts.way[place] = internWord(ledger, toWay(phone))
    facts.changed[place] = internMoment(ledger, at)
    return place
  })
}

function longer(plane: Uint8Array, by: number): Uint8Array {
  const added = new Uint8Array(plane.length + by)
  added.set(plane)
  return added
}

/** A copy waits that has neither a ticket nor an end, and that no request holds. */
export function waits({ facts }: Ledger, place: number): boolean {
  return facts.state[place] === COPY.created || facts.state[place] === COPY.failed
}

/** Its receipt is not known, and it was accepted in that round. */
export function awaitsReceipt({ facts }: Ledger, place: number, round: number): boolean {
  return facts.state[place] === COPY.sent && facts.round[place] === round
}

export function hasTicket({ facts }: Ledger, place: number): boolean {
  const state = facts.state[place]
  return state === COPY.sent || state === COPY.delivered || state === COPY.undelivered
}

type Asking = { at: Date; mayBeDouble: boolean; way?: Way }

/**
 * A request holds it from now on: an answer counts only in this round. When the request before it may have arrived, or
 * the database was restored before the first, the push may be a double. `way`: by which it leaves; absent: as it was.
 */
export function ask(ledger: Ledger, place: number, { at, mayBeDouble, way }: Asking): number {
  const { facts } = ledger
  if (way !== undefined) facts.way[place] = internWord(ledger, toWay(way))
  const isRetry = isUnknown(ledger, place)
  const round = ((facts.round[place] ?? 0) % MOST) + 1
  if (isRetry || (mayBeDouble && facts.duplicates[place] === 0)) count(ledger, 'duplicates', place, 1)
  count(ledger, 'attempts', place, 1)
  count(ledger, 'tries', place, 1)
  facts.round[place] = round
  facts.state[place] = COPY.asked
  facts.code[place] = 0
  touch(ledger, place, at)
  return round
}

/** True while an answer to a request of that round may be stored: it is open, or called unknown since. */
export function isOpenIn(ledger: Ledger, place: number, round: number): boolean {
  const { state, round: rounds } = ledger.facts
  const isOpen = state[place] === COPY.asked || (state[place] === COPY.failed && isUnknown(ledger, place))
  return isOpen && rounds[place] === round
}

/** A late answer that the push was accepted is stored even after its copy ended as unknown. */
export function takesTicketIn(ledger: Ledger, place: number, round: number): boolean {
  const hasEnded = ledger.facts.state[place] === COPY.ended && isUnknown(ledger, place)
  return isOpenIn(ledger, place, round) || (hasEnded && ledger.facts.round[place] === round)
}

export function accept(
  ledger: Ledger,
  place: number,
  ticket: string,
  { at, isDelivered }: { at: Date; isDelivered: boolean },
) {
  const { facts } = ledger
  facts.state[place] = isDelivered ? COPY.delivered : COPY.sent
  facts.code[place] = 0
  ledger.tickets[place] = ticket
  ledger.hasTickets = true
  facts.sent[place] = internMoment(ledger, at)
  facts.settled[place] = isDelivered ? internMoment(ledger, at) : 0
  touch(ledger, place, at)
}

/** `isFree`: the try does not count against the limit; `isUnsent`: no request with it left, so it was no attempt. */
export type Refusal = { code: string; isFree: boolean; isUnsent: boolean; isFinal: boolean }

export function refuse(ledger: Ledger, place: number, { code, isFree, isUnsent, isFinal }: Refusal, at: Date): void {
  const { facts } = ledger
  if (isFree) count(ledger, 'tries', place, -1)
  if (isUnsent) count(ledger, 'attempts', place, -1)
  if (isFinal) return end(ledger, place, code, at)
  facts.state[place] = COPY.failed
  facts.code[place] = internWord(ledger, code)
  touch(ledger, place, at)
}

/** Once a request may have arrived, any other code would be wrong (decision B5). */
export function end(ledger: Ledger, place: number, code: string, at: Date): void {
  const { facts } = ledger
  const mayHaveArrived = isUnknown(ledger, place) || (facts.duplicates[place] ?? 0) > 0
  facts.state[place] = COPY.ended
  facts.code[place] = internWord(ledger, mayHaveArrived ? UNKNOWN : code)
  facts.settled[place] = internMoment(ledger, at)
  touch(ledger, place, at)
}

/** A request that may have been made is not known any more, as after a restore. */
export function doubt(ledger: Ledger, place: number, at: Date): void {
  ledger.facts.state[place] = COPY.failed
  ledger.facts.code[place] = internWord(ledger, UNKNOWN)
  touch(ledger, place, at)
}

type Received = { delivered: boolean; code: string | null }

/** Spec: receipt processing. */
export function receive(ledger: Ledger, place: number, { delivered, code }: Received, at: Date): void {
  const { facts } = ledger
  facts.state[place] = delivered ? COPY.delivered : COPY.undelivered
  facts.code[place] = code === null ? 0 : internWord(ledger, code)
  facts.settled[place] = internMoment(ledger, at)
  touch(ledger, place, at)
}

export const UNKNOWN = 'OutcomeUnknown'

function isUnknown({ facts, words }: Ledger, place: number): boolean {
  return words[(facts.code[place] ?? 0) - 1] === UNKNOWN
}

function touch(ledger: Ledger, place: number, at: Date): void {
  ledger.facts.changed[place] = internMoment(ledger, at)
}

function count({ facts }: Ledger, name: Fact, place: number, by: 1 | -1): void {
  facts[name][place] = Math.min(Math.max((facts[name][place] ?? 0) + by, 0), MOST)
}

function internWord({ words }: Ledger, word: string): number {
  const known = words.indexOf(word)
  return known >= 0 ? known + 1 : words.push(word)
}

function internMoment({ moments }: Ledger, at: Date): number {
  return moments.at(-1)?.getTime() === at.getTime() ? moments.length : moments.push(at)
}
