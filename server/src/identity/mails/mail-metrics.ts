import type { MetricRegistry } from '../../platform/metrics/registry.ts'

/** `sent`: the mail server took it. `refused`: for good, for this recipient or text. `failed`: given up in its time. */
type MailOutcome = 'sent' | 'refused' | 'failed' | 'postponed'

const OUTCOMES: MailOutcome[] = ['sent', 'refused', 'failed', 'postponed']

export type MailMetrics = { ended(outcome: MailOutcome, mails?: number): void }

export function createMailMetrics(registry: MetricRegistry): MailMetrics {
  const mails = registry.counter({
    name: 'swapbell_mails_total',
    help: 'Tries to send a mail: sent, refused (permanently by the mail server), failed (expired), or postponed.',
    labels: ['outcome'],
  })
  for (const outcome of OUTCOMES) mails.inc({ outcome }, 0)
  return { ended: (outcome, count = 1) => mails.inc({ outcome }, count) }
}
