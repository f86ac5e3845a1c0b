import { setTimeout as wait } from 'node:timers/promises'
import type { PushDeps } from '../../push/deps.ts'
import type { MetricRegistry } from '../../platform/metrics/registry.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { findInstallationFigures, type InstallationFigures } from './figures.queries.ts'
import { createNodeFigures } from './node-figures.ts'

export type Figures = {
  /** Reads at most once in ten seconds. It waits three seconds and never rejects: without an answer the figures are
   * absent, and `swapbell_database_figures_up` is 0. */
  read(deps: Pick<PushDeps, 'db' | 'pool' | 'clock' | 'log'>): Promise<void>
}

const EVERY_MS = 10_000
const WAIT_MS = 3_000

/** Every process reads the same figures: take the largest of `swapbell_installation_…`, never their sum. */
export function createFigures(registry: MetricRegistry): Figures {
  const gauges = createGauges(registry)
  clear(gauges)
  const nodes = createNodeFigures(registry)
  const up = registry.gauge({
    name: 'swapbell_database_figures_up',
    help: 'Whether the last try of this process to read the metrics of the installation succeeded: 1, or 0.',
  })
  const state: { triedAt: number; reading: Promise<void> | undefined } = { triedAt: -Infinity, reading: undefined }
  const readNow = async ({ db, pool, clock, log }: Parameters<Figures['read']>[0]) => {
    const ofNodes = nodes.read({ db, pool, log })
    const figures = await findInstallationFigures({ db, pool }, fromNow(clock)).catch((error: unknown) => {
      log.warn({ err: error }, 'the figures of the installation could not be read')
      return undefined
    })
    await ofNodes
    state.reading = undefined
    clear(gauges)
    up.set(figures === undefined ? 0 : 1)
    if (figures !== undefined) show(gauges, figures)
  }
  const read: Figures['read'] = async (deps) => {
    if (performance.now() - state.triedAt >= EVERY_MS && state.reading === undefined) {
      state.triedAt = performance.now()
      state.reading = readNow(deps)
    }
    if (state.reading === undefined) return
    const isLate = await Promise.race([state.reading.then(() => false), wait(WAIT_MS, true, { ref: false })])
    if (!isLate) return
    clear(gauges)
    up.set(0)
  }
  return { read }
}

type Gauges = ReturnType<typeof createGauges>

const PROVIDER = ['provider'] as const
const STATE = ['provider', 'state'] as const
const BREAKERS = ['closed', 'open', 'half_open', 'halted'] as const

/** Name and meaning of each figure without labels, by its column. */
const PLAIN = {
  uncoordinated: ['messages_uncoordinated', 'Running messages to many users whose batches are not all made.'],
  oldest_uncoordinated: ['oldest_uncoordinated_message_age_seconds', 'Age of the oldest of them; 0: none.'],
  in_flight: ['push_requests_in_flight', 'Requests to the providers without an outcome; counted up to 20000.'],
  abandoned: ['push_requests_abandoned', 'Those of them with an expired lease that the sweep has not yet marked.'],
  mails: ['mails_waiting', 'Mails that wait to be sent; counted up to 20000.'],
  oldest_mail: ['oldest_mail_age_seconds', 'How long the oldest of them has waited; 0: none waits.'],
  oldest_badge_write: [
    'oldest_badge_write_age_seconds',
    'How long the badge that is due longest has waited to be written to the realtime database; 0: none is due.',
  ],
  sessions: ['sessions', 'Rows of sessions, estimated: open ones, and those that ended in the last seven days.'],
  audit_entries: ['audit_entries', 'Number of the last entry of the audit log. It never falls.'],
  archive_age: [
    'archive_age_seconds',
    'How long ago PostgreSQL archived a piece of its log; absent: it archives none.',
  ],
  standbys: ['standbys', 'Standbys that are connected to PostgreSQL.'],
  needs_standby: ['standby_needed', 'Whether writes wait for a standby: 1, or 0.'],
  retained_bytes: [
    'replication_retained_bytes',
    'Log that PostgreSQL keeps for the standby that is furthest behind; absent: there is no slot.',
  ],
} as const satisfies Partial<Record<keyof InstallationFigures, [name: string, help: string]>>

function createGauges(registry: MetricRegistry) {
  const gauge = <Label extends string = never>(name: string, help: string, labels: readonly Label[] = []) =>
    registry.gauge({ name: `swapbell_installation_${name}`, help, labels })
  const labelled = {
    due: gauge('batches_due', 'Due batches of running messages; counted up to 20000.', ['lane']),
    oldest: gauge('oldest_due_batch_age_seconds', 'How long the oldest of them has been due; 0: none is.', ['lane']),
    breaker: gauge('breaker', '1 for the state that the breaker of a provider is in, 0 for the others.', STATE),
    paceAhead: gauge('pace_ahead_seconds', 'How far ahead the pace of a provider is used up; 0: not at all.', PROVIDER),
    receipts: gauge('receipt_requests_due', 'Requests whose receipts are due; counted up to 20000.', PROVIDER),
    oldestReceipt: gauge(
      'oldest_due_receipt_age_seconds',
      'How long the receipts of the oldest have been due.',
      PROVIDER,
    ),
    alerts: gauge('alerts_open', 'Open alerts, by code.', ['code']),
    idle: gauge(
      'background_work_idle_seconds',
      'How long an unfinished export or bulk change has made no progress: the longest of its kind; 0: none.',
      ['kind'],
    ),
  }
  const plain = (Object.keys(PLAIN) as (keyof typeof PLAIN)[]).map((figure) => {
    const [name, help] = PLAIN[figure]
    return { figure, gauge: gauge(name, help) }
  })
  return { labelled, plain }
}

/** Removes the figures after a failure: 0 would look like an empty queue. */
function clear({ labelled, plain }: Gauges): void {
  for (const gauge of [...Object.values(labelled), ...plain.map((one) => one.gauge)]) {
    gauge.reset()
    gauge.remove({})
  }
}

function show({ labelled, plain }: Gauges, figures: InstallationFigures): void {
  for (const { lane, due, oldest } of figures.lanes) {
    labelled.due.set({ lane }, due)
    labelled.oldest.set({ lane }, oldest)
  }
  for (const { provider, breaker, pace_ahead, receipts, oldest_receipt } of figures.providers) {
    for (const state of BREAKERS) labelled.breaker.set({ provider, state }, state === breaker ? 1 : 0)
    labelled.paceAhead.set({ provider }, pace_ahead)
    labelled.receipts.set({ provider }, receipts)
    labelled.oldestReceipt.set({ provider }, oldest_receipt)
  }
  for (const code of figures.alerts) labelled.alerts.set({ code }, 1)
  labelled.idle.set({ kind: 'export' }, figures.idle_export)
  labelled.idle.set({ kind: 'bulk_change' }, figures.idle_bulk)
  for (const { figure, gauge } of plain) if (figures[figure] !== null) gauge.set(Number(figures[figure]))
}
