import type { Deps } from './deps.ts'
import { createMailMetrics } from './identity/mails/mail-metrics.ts'
import { createFigures } from './administration/figures/figures.ts'
import { QUEUE_NAMES } from './platform/jobs/queue.ts'
import { createDatabaseMetrics } from './platform/metrics/database-metrics.ts'
import { createProcessMetrics } from './platform/metrics/process-metrics.ts'
import { startMetricsServer, type MetricsServer } from './platform/metrics/metrics-server.ts'
import { createHttpMetrics } from './platform/metrics/http-metrics.ts'
import { createRegistry, type MetricRegistry } from './platform/metrics/registry.ts'
import { createWorkMetrics } from './platform/metrics/work-metrics.ts'
import type { Loops } from './platform/jobs/loops.ts'
import { sharing } from './platform/concurrency/sharing.ts'
import { createPushMetrics } from './push/status/push-metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** They are counted whether or not METRICS_PORT serves them. `figures` are read at a scrape. `part` is PROCESS. */
export function createMetrics({ part, loops }: { part: string; loops: Loops }) {
  const registry = createRegistry()
  describeLoops(registry, loops)
  return {
    registry,
    http: createHttpMetrics(registry),
    database: createDatabaseMetrics(registry),
    work: createWorkMetrics(registry, QUEUE_NAMES),
    push: createPushMetrics(registry),
    mails: createMailMetrics(registry),
    figures: createFigures(registry),
    process: createProcessMetrics(registry, part),
  }
}

type Served = Pick<Deps, 'config' | 'clock' | 'db' | 'pool' | 'metrics' | 'loops' | 'lifecycle' | 'isReady' | 'log'>

export async function serveMetrics(deps: Served): Promise<MetricsServer | undefined> {
  const { config, metrics, loops, lifecycle } = deps
  const { METRICS_PORT: port, METRICS_HOST: host } = config
  if (port === 0) return undefined
  const stopWatching = metrics.process.watch()
  const render = sharing(
    async () => {
      await metrics.figures.read(deps)
      return metrics.registry.text()
    },
    (all: string) => all,
  )
  const server = await startMetricsServer(
    { port, host },
    {
      metrics: () => render('all'),
      whyNotLive: () => loops.late().map((loop) => `the loop ${loop} does not come around`),
      isReady: async () => !lifecycle.draining && (await deps.isReady()),
    },
  )
  deps.log.info({ url: server.url }, 'metrics and health checks are served')
  const close = async () => {
    stopWatching()
    await server.close()
  }
  return { url: server.url, close }
}

function describeLoops(registry: MetricRegistry, loops: Loops): void {
  registry.gauge({
    name: 'swapbell_loops',
    help: 'Loops of this worker that must run, whether or not there is work.',
    collect: (gauge) => gauge.set(loops.count()),
  })
  registry.gauge({
    name: 'swapbell_loops_late',
    help: 'Loops of this worker that are late; with one late loop it is not live.',
    collect: (gauge) => gauge.set(loops.late().length),
  })
}
