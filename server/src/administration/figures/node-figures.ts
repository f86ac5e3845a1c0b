import { findDivisionFacts, type NodeFacts } from './nodes.queries.ts'
import type { MetricRegistry } from '../../platform/metrics/registry.ts'
import type { PushDeps } from '../../push/deps.ts'

const NODE = ['node'] as const

/** Makes the figures of the servers of a divided database. A plain one has none of them, and is not asked. */
export function createNodeFigures(registry: MetricRegistry) {
  const gauge = (name: string, help: string) =>
    registry.gauge({ name: `swapbell_installation_node_${name}`, help, labels: NODE })
  const gauges = {
    reachable: gauge('reachable', 'Whether the coordinator reaches a server of a divided database: 1, or 0.'),
    homes: gauge('homes', 'Homes of a worker of a divided database.'),
    prepared: gauge(
      'oldest_prepared_seconds',
      'How long the oldest transaction of a server of a divided database has been prepared; 0: none is.',
    ),
    standbys: gauge('standbys', 'Standbys that are connected to a server of a divided database.'),
  }
  const read = async ({ db, pool, log }: Pick<PushDeps, 'db' | 'pool' | 'log'>) => {
    if (pool.homes === 1) return
    const facts = await findDivisionFacts({ db, pool }).catch((error: unknown) => {
      log.warn({ err: error }, 'the figures of the servers could not be read')
      return undefined
    })
    for (const one of Object.values(gauges)) one.reset()
    for (const node of facts?.nodes ?? []) show(gauges, node)
  }
  return { read }
}

type Gauges = Record<'reachable' | 'homes' | 'prepared' | 'standbys', ReturnType<MetricRegistry['gauge']>>

function show(gauges: Gauges, { node, holds_homes, homes, version, oldest_prepared, standbys }: NodeFacts): void {
  const labels = { node: String(node) }
  gauges.reachable.set(labels, version === null ? 0 : 1)
  if (holds_homes) gauges.homes.set(labels, homes)
  if (oldest_prepared !== null) gauges.prepared.set(labels, oldest_prepared)
  if (standbys !== null) gauges.standbys.set(labels, standbys)
}
