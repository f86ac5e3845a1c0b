import type { MetricRegistry } from '../../platform/metrics/registry.ts'

const OUTCOMES = ['sent', 'refused', 'failed', 'postponed'] as const

export type MailMetrics = ReturnType<typeof createMailMetrics>

/** `sent`: the mail server took it. `refused`: for good, for this recipient or text. `failed`: given up in its time. */
export function createMailMetrics(registry: MetricRegistry) {
  const mails = registry.counter({
    name: 'swapbell_mails_total',
    help: 'Tries to send a mail: sent, refused (permanently by the mail server), failed (expired), or postponed.',
    labels: ['outcome'],
  })
  for (const outcome of OUTCOMES) mails.inc({ outcome }, 0)
  return {
    ended: (outcome: (typeof OUTCOMES)[number], count = 1): void => mails.inc({ outcome }, count),
  }
}
