import { findTicketRecord, read, type TicketRecord } from './ledger.ts'
import { isRecord, isString } from './json.ts'
import { invalid, refusal, type Refusal } from './refusal.ts'
import type { FaultStep } from './script.ts'
import { readTime, type State } from './state.ts'
import type { ReceiptPlan } from './tokens.ts'

type Receipt =
  { status: 'ok' } | { status: 'error'; message: string; details: { error: string; expoPushToken: string } }

const MAX_IDS = 1000
const LATE_MS = 20 * 60 * 1000

/**
 * The getReceipts call: the receipts that are ready, by ticket id. An id that is unknown, not ready yet, expired or
 * meant to be missing is simply absent (Expo: check push receipts).
 */
export function getReceipts(state: State, text: string, step?: FaultStep): Map<string, string> | Refusal {
  const ids = parse(text)
  if (!Array.isArray(ids)) return ids
  if (ids.length > MAX_IDS) {
    return refusal(400, 'PUSH_TOO_MANY_RECEIPTS', `"ids" must hold at most ${MAX_IDS} receipt ids, not ${ids.length}`)
  }
  const now = readTime(state)
  const receipts = new Map<string, string>()
  for (const id of ids) {
    const fate = findTicketRecord(state.ledger, id)
    if (!fate) continue
    const plan = step?.receipts ?? fate.plan
    if (isReady(state, fate, plan, now)) receipts.set(id, JSON.stringify(toReceipt(state, fate, plan)))
  }
  return receipts
}

function parse(text: string): string[] | Refusal {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid('"value" must be JSON')
  }
  const ids = isRecord(value) ? value['ids'] : undefined
  if (ids === undefined) return invalid('"ids" is required')
  return Array.isArray(ids) && ids.every(isString) ? ids : invalid('"ids" must be an array of strings')
}

function isReady(state: State, fate: TicketRecord, plan: ReceiptPlan, now: number): boolean {
  if (plan === 'missing') return false
  const readyAt = fate.time + state.options.receiptDelayMs + (plan === 'late' ? LATE_MS : 0)
  return now >= readyAt && now < fate.time + state.options.receiptTtlMs
}

function toReceipt(state: State, fate: TicketRecord, plan: ReceiptPlan): Receipt {
  if (!plan.startsWith('error:')) return { status: 'ok' }
  const code = plan.slice('error:'.length)
  const { token } = read(state.ledger, fate.sequence)
  return { status: 'error', message: receiptText(code, token), details: { error: code, expoPushToken: token } }
}

/** Expo quotes the token in its texts, so these do too; readers must not pass them on. */
function receiptText(code: string, token: string): string {
  const quoted = JSON.stringify(token)
  switch (code) {
    case 'DeviceNotRegistered':
      return `${quoted} is not a registered push notification recipient`
    case 'MessageTooBig':
      return `The message for ${quoted} is larger than the 4096 bytes allowed`
    case 'MessageRateExceeded':
      return `Messages for ${quoted} are sent at too high a rate`
    default:
      return `The message for ${quoted} was not handed over: ${code}`
  }
}
