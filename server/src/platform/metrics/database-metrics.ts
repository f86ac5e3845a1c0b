import type { MetricRegistry } from './registry.ts'

type Connections = { totalCount: number; idleCount: number; waitingCount: number }

const STATEMENT_SECONDS = [0.001, 0.01, 0.05, 0.25, 1, 5] as const
const WAIT_SECONDS = [0.001, 0.01, 0.1, 1, 3] as const

export function createDatabaseMetrics(registry: MetricRegistry) {
  const durations = registry.histogram({
    name: 'swapbell_database_statement_duration_seconds',
    help: 'Time of a statement as measured by this process, by the function that makes it, or by verb and table.',
    labels: ['statement'],
    buckets: STATEMENT_SECONDS,
  })
  const failures = registry.counter({
    name: 'swapbell_database_statement_failures_total',
    help: 'Statements that failed.',
    labels: ['statement'],
  })
  const waits = registry.histogram({
    name: 'swapbell_database_connection_wait_seconds',
    help: 'Time until a caller got a connection of a pool, or gave up.',
    labels: ['pool'],
    buckets: WAIT_SECONDS,
  })
  const watched = new Map<string, () => readonly Connections[]>()
  registry.gauge({
    name: 'swapbell_database_connections',
    help: 'Open connections of a pool: busy, or idle.',
    labels: ['pool', 'state'],
    collect: (gauge) => {
      for (const [pool, list] of watched) {
        const idle = sum(list(), 'idleCount')
        gauge.set({ pool, state: 'busy' }, sum(list(), 'totalCount') - idle)
        gauge.set({ pool, state: 'idle' }, idle)
      }
    },
  })
  registry.gauge({
    name: 'swapbell_database_connection_requests_waiting',
    help: 'Callers that wait for a connection of a pool now.',
    labels: ['pool'],
    collect: (gauge) => {
      for (const [pool, list] of watched) gauge.set({ pool }, sum(list(), 'waitingCount'))
    },
  })
  return {
    ran: (statement: string, seconds: number, hasFailed: boolean) => {
      durations.observe({ statement }, seconds)
      if (hasFailed) failures.inc({ statement })
    },
    waited: (pool: string, seconds: number) => waits.observe({ pool }, seconds),
    /** `list`: the pools of this name, which are counted together. */
    watch: (pool: string, list: () => readonly Connections[]) => void watched.set(pool, list),
  }
}

function sum(pools: readonly Connections[], count: keyof Connections): number {
  return pools.reduce((all, one) => all + one[count], 0)
}
