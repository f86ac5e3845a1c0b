import type { Config } from './platform/config/config.ts'
import { createDeps, type Deps } from './deps.ts'
import { registerAuditKey } from './platform/audit/keys.ts'
import { ensureFirstAdmin } from './identity/sign-in/auth.ts'
import { leave, leavingMs } from './platform/process/leaving.ts'
import type { TraceStore } from './platform/tracing/tracing.ts'
import { sharing } from './platform/concurrency/sharing.ts'
import { startMetricsServer, type MetricsServer } from './platform/metrics/metrics-server.ts'
import type { Log } from './platform/shared/log.ts'
import { fillWithDemoData, startLocalPostgres } from './trial.ts'

// Tickets that cannot be stored are given up after this.
const GIVE_UP_AFTER_MS = 18_000
// A process finishes what is under way in this time, beside the time in which it may still get requests.
const FINISH_MS = 25_000

/** `url` undefined: it has no API. `stopMs`: how long a stop may take. `waitsFor`: the parts that have not ended. */
export type Service = {
  url: string | undefined
  stop: () => Promise<void>
  stopMs: number
  waitsFor: () => string[]
}

/** Starts an embedded PostgreSQL when no DATABASE_URL is set. */
export async function startService(settings: Config, log: Log, traces: TraceStore): Promise<Service> {
  const postgres = settings.DATABASE_URL === '' ? await startLocalPostgres(settings, log) : undefined
  const config = postgres ? { ...settings, DATABASE_URL: postgres.url } : settings
  const { deps, close } = await createDeps(config, log, { traces })
  const metrics = await serveMetrics(deps)
  await registerAuditKey(deps)
  await ensureFirstAdmin(deps)
  if (config.DEMO_DATA === 'on') await fillWithDemoData(deps)
  const worker = config.PROCESS === 'web' ? undefined : await startWorker(deps)
  const web = config.PROCESS === 'worker' ? undefined : await startWeb(deps)
  log.info({ url: web?.url }, 'started')
  const stop = async () => {
    deps.lifecycle.draining = true
    setTimeout(() => deps.lifecycle.givingUp.abort(), GIVE_UP_AFTER_MS).unref()
    // A worker ends at once: it leaves what it has not begun, and would take up work again as long as it runs.
    const { until } = deps.lifecycle
    await Promise.all([until('the API', Promise.resolve(web?.stop())), worker?.stop()])
    await until('metrics', Promise.resolve(metrics?.close()))
    await close()
    await until('PostgreSQL', Promise.resolve(postgres?.stop()))
  }
  return { url: web?.url, stop, stopMs: leavingMs(config) + FINISH_MS, waitsFor: deps.lifecycle.waitsFor }
}

// Each process loads only what it does: the API is 30 MB of code to a worker that never serves it.

async function startWorker(deps: Deps): Promise<{ stop: () => Promise<void> }> {
  const worker = await import('./worker.ts')
  return worker.startWorker(deps)
}

async function startWeb(deps: Deps): Promise<{ url: string; stop: () => Promise<void> }> {
  const { buildApp } = await import('./app.ts')
  const { app, connections } = await buildApp(deps)
  const url = await app.listen({ port: deps.config.PORT, host: deps.config.HOST })
  return { url, stop: () => leave(app, connections, deps.config) }
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
