import { createLoops } from '../../src/platform/jobs/loops.ts'
import { createMetrics } from '../../src/deps.ts'

/** Every metric that a process has, from the code. */
export function metricsThereAre() {
  return createMetrics({ part: 'all', loops: createLoops(0) }).registry.describe()
}

const HEAD = `# Metrics

A process with \`METRICS_PORT\` serves these at \`/metrics\` for Prometheus. \`npm test -- server/test/metric-page.test.ts -u\` writes this
page from the code. [Operations](operations.md#metrics) explains how to use them with Prometheus, and what to do after an alert.

**Scope.** A metric of the _process_ is about the scraped process: sum it over all processes. A metric of the
_installation_ (\`swapbell_installation_…\`) is read from the database and is the same in every process: use
\`max by (…)\`, never \`sum\`. Each process reads these at most every 10 s, in one statement of at most 2 s, and counts
stop at 20,000. While the database does not answer they are absent, and \`swapbell_database_figures_up\` is 0.
Metrics of the process are still served.

**Labels** have a bounded number of values: patterns of routes, names of functions and tables, queues, chores,
codes. \`node\` is the number that Citus gave a server of a [divided](divided.md) database. No label contains an id, an address, SQL, or text of a caller. A statement written as SQL has the name of its
function. A statement of the query builder has its verb and table.

**Coverage of receipts** is the share of tickets whose receipt was requested in time:
\`sum(swapbell_push_receipts_first_asked_total{when="in_time"}) / sum(swapbell_push_receipts_first_asked_total)\`.
**Use of the pace** is
\`sum by (provider) (rate(swapbell_push_outcomes_total[1m])) / max by (provider) (swapbell_push_pace_limit)\`.
`

/** The page docs/metrics.md. */
export function metricPage(): string {
  const rows = metricsThereAre().map(({ name, type, labels, help }) => {
    const whose = name.startsWith('swapbell_installation_') ? 'installation' : 'process'
    const labelCell = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${labelCell} | ${whose} | ${help} |`
  })
  return [HEAD, '| Name | Type | Labels | Scope | Meaning |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n')
}
