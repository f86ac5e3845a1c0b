import { errors } from '../../platform/shared/errors.ts'
import type { PushDeps } from '../../push/deps.ts'
import { verifyAudit, type AuditReport, type ExpectedEnd } from './verify.ts'

type Options = Record<string, string | undefined>
type Outcome = { text: string; isGood: boolean }

export const verifyAuditCommand = {
  doc: 'Check the audit log; exit code 1 when it was tampered with.',
  options: {
    'expect-count': { takes: 'N', doc: 'The log had so many entries before.' },
    'expect-head': { takes: 'HASH', doc: 'An entry of the log had this hash.' },
  },
  run: async (deps: PushDeps, options: Options): Promise<Outcome> => {
    const expected = expectedEnd(options)
    if (expected === undefined)
      throw errors.badRequest('--expect-count takes a number of entries, --expect-head 64 digits of a hash.')
    return toOutcome(await verifyAudit(deps, expected), expected)
  },
}

const CANNOT_KNOW =
  'This does not show whether the log was emptied or cut together with its stored end: give the number and the hash that the service logged, with --expect-count and --expect-head.'

function expectedEnd(options: Options): ExpectedEnd | undefined {
  const [count, head] = [options['expect-count'], options['expect-head']]
  if (count !== undefined && !/^\d{1,15}$/.test(count)) return undefined
  if (head !== undefined && !/^[\da-f]{64}$/.test(head)) return undefined
  return { count: count === undefined ? undefined : Number(count), head }
}

function toOutcome({ entries, head, broken }: AuditReport, { count, head: expectedHead }: ExpectedEnd): Outcome {
  if (broken) return { text: `Entry ${broken.auditId}: ${broken.why}.`, isGood: false }
  const unknown = count === undefined && expectedHead === undefined ? [CANNOT_KNOW] : []
  const lines = [`${entries} entries, unbroken.`, ...unknown, `Keep their number and the last hash elsewhere: ${head}`]
  return { text: lines.join('\n'), isGood: true }
}
