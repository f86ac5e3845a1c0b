import type { Lane } from '../../platform/tables/tables.ts'
import type { MetricRegistry } from '../../platform/metrics/registry.ts'
import type { PushOutcome } from '../provider/provider.ts'

type Way = { provider: string; lane: Lane }

const OF_WAY = ['provider', 'lane'] as const
const LANES: Lane[] = ['transactional', 'campaign']
const OUTCOMES: PushOutcome['kind'][] = ['accepted', 'refused', 'unknown']
const REQUEST_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 20] as const

/** The figures are those of this process: sum them over all workers. */
export function createPushMetrics(registry: MetricRegistry) {
  const claims = createClaimMetrics(registry)
  const answers = createAnswerMetrics(registry)
  const providers = createProviderMetrics(registry)
  const receipts = createReceiptMetrics(registry)
  const coordinated = registry.counter({
    name: 'swapbell_push_users_coordinated_total',
    help: 'Users that a coordinator of this process put into batches or skipped, with or without a device.',
  })
  return {
    ...claims,
    ...answers,
    ...providers,
    ...receipts,
    // Zero for all figures of a provider, so that they are there before anything happens.
    open: (provider: string, perSecond: number) => {
      for (const part of [claims, answers, receipts]) part.open(provider)
      providers.open(provider, perSecond)
    },
    coordinated: (users: number) => coordinated.inc(users),
  }
}

function createClaimMetrics(registry: MetricRegistry) {
  const claims = registry.counter({
    name: 'swapbell_push_claims_total',
    help: 'Claims with at least one batch.',
    labels: OF_WAY,
  })
  const batches = registry.counter({
    name: 'swapbell_push_batches_claimed_total',
    help: 'Claimed batches; a batch counts once for each of its attempts.',
    labels: OF_WAY,
  })
  const duplicates = registry.counter({
    name: 'swapbell_push_possible_duplicates_total',
    help: 'Copies that were sent again after a request with an unknown outcome.',
    labels: OF_WAY,
  })
  const waits = registry.counter({
    name: 'swapbell_push_pace_wait_seconds_total',
    help: 'Time that lanes waited for their share of the pace, in seconds.',
    labels: OF_WAY,
  })
  return {
    open: (provider: string) => {
      for (const lane of LANES)
        for (const counter of [claims, batches, duplicates, waits]) counter.inc({ provider, lane }, 0)
    },
    claimed: (way: Way, claim: { batches: number; possibleDuplicates: number }) => {
      claims.inc(way)
      batches.inc(way, claim.batches)
      if (claim.possibleDuplicates > 0) duplicates.inc(way, claim.possibleDuplicates)
    },
    waitedForPace: (way: Way, seconds: number) => waits.inc(way, seconds),
  }
}

function createAnswerMetrics(registry: MetricRegistry) {
  const requests = registry.counter({
    name: 'swapbell_push_requests_total',
    help: 'Requests to the provider: accepted (at least one push), unknown (at least one push), else refused.',
    labels: [...OF_WAY, 'outcome'],
  })
  const durations = registry.histogram({
    name: 'swapbell_push_request_duration_seconds',
    help: 'Time of a request to the provider.',
    labels: ['provider'],
    buckets: REQUEST_SECONDS,
  })
  const outcomes = registry.counter({
    name: 'swapbell_push_outcomes_total',
    help: 'Pushes by outcome: accepted, refused (surely not accepted), unknown.',
    labels: [...OF_WAY, 'outcome'],
  })
  return {
    open: (provider: string) => {
      for (const lane of LANES)
        for (const outcome of OUTCOMES)
          for (const counter of [requests, outcomes]) counter.inc({ provider, lane, outcome }, 0)
    },
    answered: (way: Way, answer: { outcomes: readonly PushOutcome[]; seconds: number }) => {
      const counts = { accepted: 0, refused: 0, unknown: 0 }
      for (const { kind } of answer.outcomes) counts[kind]++
      const ofRequest = counts.accepted > 0 ? 'accepted' : counts.unknown > 0 ? 'unknown' : 'refused'
      requests.inc({ ...way, outcome: ofRequest })
      durations.observe({ provider: way.provider }, answer.seconds)
      for (const outcome of OUTCOMES) if (counts[outcome] > 0) outcomes.inc({ ...way, outcome }, counts[outcome])
    },
  }
}

function createProviderMetrics(registry: MetricRegistry) {
  const pace = registry.gauge({
    name: 'swapbell_push_pace_limit',
    help: 'Pushes a second that all processes together may send to a provider; 0: no limit. The same in every process.',
    labels: ['provider'],
  })
  const gone = registry.counter({
    name: 'swapbell_push_devices_gone_total',
    help: 'Devices that the provider reported gone; they were removed unless they registered meanwhile.',
    labels: ['provider'],
  })
  return {
    open: (provider: string, perSecond: number) => {
      pace.set({ provider }, perSecond)
      gone.inc({ provider }, 0)
    },
    devicesGone: (provider: string, devices: number) => gone.inc({ provider }, devices),
  }
}

function createReceiptMetrics(registry: MetricRegistry) {
  const receiptRequests = registry.counter({
    name: 'swapbell_push_receipt_requests_total',
    help: 'Requests for receipts: answered, or unanswered.',
    labels: ['provider', 'outcome'],
  })
  const firstRequests = registry.counter({
    name: 'swapbell_push_receipts_first_asked_total',
    help: 'Tickets whose receipt was requested for the first time: in_time (within 24 h of the push), or late.',
    labels: ['provider', 'when'],
  })
  const stored = registry.counter({
    name: 'swapbell_push_receipts_total',
    help: 'Stored receipts: delivered, failed, or expired (none came within 24 h).',
    labels: ['provider', 'result'],
  })
  return {
    open: (provider: string) => {
      for (const outcome of ['answered', 'unanswered']) receiptRequests.inc({ provider, outcome }, 0)
      for (const when of ['in_time', 'late']) firstRequests.inc({ provider, when }, 0)
      for (const result of ['delivered', 'failed', 'expired']) stored.inc({ provider, result }, 0)
    },
    receiptsAsked: (provider: string, hasAnswered: boolean) =>
      receiptRequests.inc({ provider, outcome: hasAnswered ? 'answered' : 'unanswered' }),
    receiptsFirstAsked: (provider: string, { inTime, late }: { inTime: number; late: number }) => {
      firstRequests.inc({ provider, when: 'in_time' }, inTime)
      firstRequests.inc({ provider, when: 'late' }, late)
    },
    receiptsStored: (provider: string, receipts: Record<'delivered' | 'failed' | 'expired', number>) => {
      for (const [result, count] of Object.entries(receipts)) stored.inc({ provider, result }, count)
    },
  }
}
