import { isRecord, isString, isWhole } from './json.ts'
import type { FaultStep } from './script.ts'
import { isReceiptPlan, RECEIPT_PLANS } from './tokens.ts'

type Problem = string | null
type Check = (value: unknown) => Problem

const BODIES = [
  'ok',
  'html',
  'empty',
  'garbage',
  'truncated',
  'fewer',
  'more',
  'duplicate-ids',
  'object',
  'huge',
  'gzip-bomb',
]
const TICKET_BODIES = new Set(['fewer', 'more', 'duplicate-ids', 'object'])

const CHECKS = new Map<string, Check>(
  Object.entries({
    match: isAmong(['send', 'getReceipts']),
    times: whole(0, 1e9),
    every: whole(1, 1e9),
    probability: (value) =>
      typeof value === 'number' && value >= 0 && value <= 1 ? null : 'must be a number from 0 to 1',
    seed: whole(0, 4_294_967_295),
    status: whole(200, 599),
    headers: textMap('must be an object of header values'),
    delayMs: whole(0, 3_600_000),
    until: (value) => (value instanceof Promise ? null : 'must be a promise of this process'),
    accept: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
    cut: isAmong(['before-read', 'after-read', 'mid-body']),
    body: (value) => (typeof value === 'object' && value !== null ? null : isAmong(BODIES)(value)),
    ticketErrors: textMap('must be an object of recipient index or token to error code'),
    receipts: (value: unknown) => (isReceiptPlan(value) ? null : `must be ${RECEIPT_PLANS}`),
    errors: errorList,
  }),
)

/** Throws a TypeError that begins with `path` and names the field, unless `step` is one. */
export function assertStep(step: unknown, path: string): asserts step is FaultStep {
  const problem = isRecord(step) ? (fieldProblem(step) ?? contradiction(step)) : ' must be an object'
  if (problem) throw new TypeError(path + problem)
}

function fieldProblem(step: Record<string, unknown>): Problem {
  for (const field in step) {
    const check = CHECKS.get(field)
    if (!check) return `.${field} is not a field of a step; there are ${[...CHECKS.keys()].join(', ')}`
    const problem = check(step[field])
    if (problem) return `.${field} ${problem}`
  }
  return null
}

function contradiction(step: Record<string, unknown>): Problem {
  const { accept, body, cut, errors, every, match, probability, status } = step
  const fails = errors !== undefined || isWhole(status, 400, 599)
  if (every !== undefined && probability !== undefined) return '.every and .probability exclude each other'
  if (cut === 'before-read' && accept === true) return '.accept cannot be true when cut is before-read'
  if (isString(body) && TICKET_BODIES.has(body) && (fails || accept === false)) {
    return `.body ${body} is made of tickets, so the request must be accepted and answered with a status below 400`
  }
  if (accept === false && !fails && cut === undefined && (body === undefined || body === 'ok')) {
    return '.accept false needs a status, errors, a cut or a body to answer with'
  }
  return body === 'duplicate-ids' && match !== 'send' ? ".body duplicate-ids needs match 'send'" : null
}

function isAmong(values: string[]): Check {
  return (value) => (isString(value) && values.includes(value) ? null : `must be one of ${values.join(', ')}`)
}

function whole(from: number, to: number): Check {
  return (value) => (isWhole(value, from, to) ? null : `must be a whole number from ${from} to ${to}`)
}

function textMap(problem: string): Check {
  return (value) => (isRecord(value) && Object.values(value).every(isString) ? null : problem)
}

function errorList(value: unknown): Problem {
  return Array.isArray(value) && value.every(isError) ? null : 'must be a list of {code, message}'
}

function isError(value: unknown): boolean {
  return isRecord(value) && isString(value['code']) && isString(value['message'])
}
