import { appendFileSync } from 'node:fs'
import { accept } from './ledger.ts'
import { logAfter } from './log-lines.ts'
import { isTooBig, readMailing, type Mailing } from './message.ts'
import { takeFromRate } from './rate-limit.ts'
import { invalid, refusal, type Refusal } from './refusal.ts'
import type { FaultStep } from './script.ts'
import { readTime, type State } from './state.ts'
import { isPushToken, readProject, ruleByName, type ReceiptPlan, type TokenRule } from './tokens.ts'
import { arrive } from './wall/wall.ts'

/** The tickets of one request as JSON texts, one per recipient in order. */
export type Tickets = { tickets: string[]; lone: boolean }

/** A refused request, with the number of its messages as far as they could be counted. */
export type Refused = { refused: Refusal; messages: number }

const MAX_RECIPIENTS = 100
const TOO_BIG: TokenRule = { receipt: 'error:MessageTooBig' }

/**
 * The send call, the `request`th since the start: checks the whole request, then gives each recipient a ticket.
 * Messages with an ok ticket are in the ledger (and the log file) when this returns. A scripted step may put errors
 * into tickets and decide the receipts.
 */
export function send(state: State, request: number, body: string, step?: FaultStep): Tickets | Refused {
  const parsed = parse(body)
  if ('status' in parsed) return { refused: parsed, messages: 0 }
  const { recipients } = parsed
  if (recipients > MAX_RECIPIENTS) {
    const text = `"value" must hold at most ${MAX_RECIPIENTS} notifications, not ${recipients}`
    return { refused: refusal(400, 'PUSH_TOO_MANY_NOTIFICATIONS', text), messages: recipients }
  }
  const time = readTime(state)
  const refused = refuseProjects(parsed) ?? refuseRate(state, parsed, time)
  if (refused) return { refused, messages: recipients }
  const before = state.ledger.count
  const tickets: string[] = []
  for (const message of parsed.messages) {
    const tooBig = isTooBig(message)
    for (const token of message.tokens) {
      const rule = ruleFor(state, token, tickets.length, step) ?? (tooBig ? TOO_BIG : undefined)
      tickets.push(issue(state, { time, request, token, fields: message.fields }, rule))
    }
  }
  appendLog(state, before)
  return { tickets, lone: parsed.lone }
}

function parse(body: string): Mailing | Refusal {
  try {
    return readMailing(JSON.parse(body))
  } catch {
    return invalid('"value" must be JSON')
  }
}

function refuseProjects({ messages }: Mailing): Refusal | null {
  const tokensByProject = new Map<string, string[]>()
  for (const message of messages) {
    for (const token of message.tokens) {
      if (!isPushToken(token)) continue
      const project = readProject(token)
      const tokens = tokensByProject.get(project)
      if (tokens) tokens.push(token)
      else tokensByProject.set(project, [token])
    }
  }
  if (tokensByProject.size < 2) return null
  const text = 'All push notification messages in the same request must be for the same project'
  return refusal(400, 'PUSH_TOO_MANY_EXPERIENCE_IDS', text, Object.fromEntries(tokensByProject))
}

function refuseRate(state: State, { messages, recipients }: Mailing, time: number): Refusal | null {
  const project = readProject(messages[0]?.tokens.find(isPushToken) ?? '')
  if (takeFromRate(state.rate, project, recipients, time)) return null
  const text = `The project sends more than ${state.options.ratePerSecond} notifications a second`
  return refusal(429, 'TOO_MANY_REQUESTS', text)
}

/** Precedence: the script, then a rule set for the token, then the token's name. */
function ruleFor(state: State, token: string, index: number, step: FaultStep | undefined): TokenRule | undefined {
  const errors = step?.ticketErrors
  const ticketError = errors?.[index] ?? errors?.[token] ?? errors?.['*']
  if (ticketError) return { ticketError }
  const receipt: ReceiptPlan | undefined = step?.receipts
  const own = state.tokenRules.get(token) ?? ruleByName(token)
  if (own?.ticketError || !receipt) return own
  return { receipt }
}

function issue(
  state: State,
  entry: { time: number; request: number; token: string; fields: Record<string, unknown> },
  rule: TokenRule | undefined,
): string {
  const { token, time, fields } = entry
  if (!isPushToken(token)) return errorTicket(state, token, 'DeviceNotRegistered', 'is not a valid Expo push token')
  if (rule?.ticketError) return errorTicket(state, token, rule.ticketError, ticketText(rule.ticketError))
  const ticket = accept(state.ledger, { ...entry, plan: rule?.receipt ?? 'ok' })
  arrive(state.wall, { provider: 'expo', time, token, fields })
  return `{"status":"ok","id":"${ticket}"}`
}

function errorTicket(state: State, token: string, code: string, text: string): string {
  state.counts.errorTickets++
  const message = `${JSON.stringify(token)} ${text}`
  return JSON.stringify({ status: 'error', message, details: { error: code, expoPushToken: token } })
}

function ticketText(code: string): string {
  return code === 'DeviceNotRegistered' ? 'is not a registered push notification recipient' : `was refused: ${code}`
}

/** Writes to the log file, if there is one. */
export function appendLog(state: State, since: number): void {
  if (!state.options.logFile) return
  let lines = ''
  for (const entry of logAfter(state.ledger, since)) lines += JSON.stringify(entry) + '\n'
  if (lines) appendFileSync(state.options.logFile, lines)
}
