// For CI: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../local-postgres/src/free-port.ts'
import { environmentWith } from './support/environment.ts'
import { metricsThereAre } from './support/metric-table.ts'
import { isInstalled } from './support/programs.ts'
import { DEPLOY, promtool, startPrometheus, type Prometheus } from './support/prometheus.ts'
import { startRealTime, type RealTime } from './support/real-time.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const HANGS_AFTER_MS = 10 * 60_000
const NAME = /\b(?:swapbell|process|nodejs)_[a-z0-9_]+\b/g
// What happens about once a minute or not at all, and is not waited for; what a database on one server has not.
const MAY_BE_EMPTY = [
  'chore',
  'job_duration',
  'first_asked',
  'statement_failures',
  'archive_age',
  'replication_retained',
  'installation_node',
]

const rules = await readFile(`${DEPLOY}prometheus/alerts.yml`, 'utf8')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const dashboard = JSON.parse(await readFile(`${DEPLOY}grafana/swapbell.json`, 'utf8')) as {
  panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[]
}
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** The metrics that a text names. Labels that look like one are none. */
function metricsIn(text: string): string[] {
  const withoutLabels = text.replaceAll(/by \([^)]*\)|\{[^}]*\}/g, '')
  return [...withoutLabels.matchAll(NAME)].map(([name]) => name)
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function known(names: Iterable<string>): Set<string> {
  return new Set([...names].flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]))
}

describe('the rules and the dashboard', () => {
  const there = known(metricsThereAre().map(({ name }) => name))

  test('name only metrics that there are, and the dashboard shows every one of them', async () => {
    expect(alerts.length).toBeGreaterThan(15)
    expect(expressions.length).toBeGreaterThan(40)
    const expressionsOfRules = rules.split('- alert:').map((rule) => /expr:([\s\S]*?)\n {8}\w/.exec(rule)?.[1] ?? '')
    const unknown = expressionsOfRules.flatMap(metricsIn).filter((name) => !there.has(name))
    // These alone come from elsewhere: the age of the backups, which the machine of the database tells.
    const collector = await readFile(`${DEPLOY}pgbackrest/backup-metrics`, 'utf8')
    expect(unknown.filter((name) => !collector.includes(`# TYPE ${name} gauge`))).toEqual([])
    expect(expressions.flatMap(metricsIn).filter((name) => !there.has(name))).toEqual([])
    const shown = new Set(expressions.flatMap(metricsIn).map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
    const unseen = metricsThereAre().filter(({ name }) => !shown.has(name))
    expect(unseen.map(({ name }) => name)).toEqual(['swapbell_loops'])
  })

  test('never sum a metric of the installation, which every process serves', () => {
    for (const expression of [...expressions, rules])
      expect(expression).not.toMatch(/sum[^a-z]*(?:by \([^)]*\))?\s*\(\s*swapbell_installation/)
  })

  test('have panels of different ids, each with a title and a kind', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    for (const { title, type } of dashboard.panels) {
      expect(title).not.toBe('')
      expect(['row', 'stat', 'timeseries']).toContain(type)
    }
  })

  test('each have an entry in docs/operations.md, to which the rule leads, and each rule a case in which it fires', async () => {
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    const entries = [...page.matchAll(/^- <a id="(\w+)"><\/a>\*\*(Swapbell\w+)\*\*\s+(\w+):\s+\S/gm)]
    const documented = entries.map(([, , name, severity]) => [name, severity])
    const severities = [...rules.matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g)]
    expect(documented).toEqual(severities.map(([, name, severity = '']) => [name, capitalized(severity)]))
    const places = [...rules.matchAll(/runbook_url: \S+\/operations\.md#(\w+)$/gm)].map(([, place]) => place)
    expect(places).toEqual(entries.map(([, place]) => place))
    expect(new Set(severities.map(([, , severity]) => severity))).toEqual(new Set(['critical', 'warning']))
    const production = await readFile(new URL('../../docs/production.md', import.meta.url), 'utf8')
    expect(production).toMatch(/Page somebody for the alerts with `severity: critical`/)
    const cases = await readFile(`${DEPLOY}prometheus/alerts.test.yml`, 'utf8')
    const firing = [...cases.matchAll(/alertname: (\w+)\n.*\n\s*exp_alerts:\n\s*- exp_labels/g)].map(
      ([, name = '']) => name,
    )
    expect(firing.toSorted()).toEqual(alerts.toSorted())
  })
})

describe.skipIf(!isInstalled('prometheus', 'promtool'))('a real Prometheus', { timeout: HANGS_AFTER_MS }, () => {
  let real: RealTime
  let prometheus: Prometheus
  const ends: (() => Promise<void>)[] = []
  const targets: string[] = []

  /** A process as in production; gives the address of its API, if it has one. */
  const startProcess = async (part: 'web' | 'worker') => {
    const port = await freePort()
    const settings = {
      PROCESS: part,
      PORT: '0',
      METRICS_PORT: String(port),
      DATABASE_URL: real.databaseUrl,
      JWT_SECRET: real.deps.config.JWT_SECRET,
      EXPO_BASE_URL: real.simulator.url,
      RECEIPT_DELAY_SECONDS: '0',
      LOG_LEVEL: 'warn',
    }
    const environment = await environmentWith(settings, await mkdtemp(join(tmpdir(), 'limits-')))
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const ended = once(child, 'exit')
    ends.push(async () => {
      child.kill('SIGTERM')
      await ended
    })
    targets.push(`127.0.0.1:${port}`)
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url?: string } | number]
    if (typeof message !== 'object') throw new Error(`The ${part} ended with ${message}.`)
    return message.url ?? ''
  }

  beforeAll(async () => {
    real = await startRealTime()
    const [url] = await Promise.all([startProcess('web'), startProcess('worker')])
    prometheus = await startPrometheus(targets)
    const { headers } = await real.given.admin()
    for (let user = 0; user < 20; user++) await real.given.user({ devices: [{}] })
    const content = { title: 'Hello', text: 'There' }
    const json = { ...headers, 'content-type': 'application/json' }
    for (let send = 0; send < 2; send++) {
      const sent = await fetch(`${url}/api/admin/send-notification-all`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...content, title: `Hello ${send}` }),
      })
      expect(sent.status).toBe(202)
    }
    const scrapes = () => prometheus.query('count_over_time(up{job="swapbell"}[1m]) > 4')
    await vi.waitFor(async () => expect(await scrapes()).toHaveLength(2), { timeout: HANGS_AFTER_MS, interval: 500 })
  }, HANGS_AFTER_MS)

  afterAll(async () => {
    for (const end of [() => prometheus.close(), ...ends, () => real.close()]) await end()
  })

  test('scrapes web and worker, and loads every rule', async () => {
    const states = async () => {
      const { activeTargets } = await prometheus.ask<{ activeTargets: { health: string; lastError: string }[] }>(
        'targets',
      )
      return activeTargets.map(({ health, lastError }) => [health, lastError])
    }
    const isUp = async () =>
      expect(await states()).toEqual([
        ['up', ''],
        ['up', ''],
      ])
    await vi.waitFor(isUp, { timeout: HANGS_AFTER_MS, interval: 500 })
    const { groups } = await prometheus.ask<{ groups: { rules: { name: string; health: string }[] }[] }>('rules')
    const loaded = groups.flatMap((group) => group.rules)
    expect(loaded.map(({ name }) => name).toSorted()).toEqual(alerts.toSorted())
    expect(loaded.filter(({ health }) => health === 'err')).toEqual([])
  })

  test('knows every metric of the page by its type, and promtool has no complaint of them', async () => {
    const metadata = await prometheus.ask<Record<string, { type: string; help: string }[]>>('metadata')
    for (const { name, type, help } of metricsThereAre()) expect(metadata[name]).toMatchObject([{ type, help }])
    for (const target of targets) {
      const text = await (await fetch(`http://${target}/metrics`)).text()
      expect(promtool(['check', 'metrics'], text)).toBe('')
    }
  })

  test('runs every expression of the dashboard, and finds something for each that has happened', async () => {
    const empty: string[] = []
    for (const expression of expressions) {
      const found = await prometheus.query(expression.replaceAll('$__rate_interval', '30s'))
      if (found.length === 0) empty.push(expression)
    }
    expect(empty.filter((expression) => !MAY_BE_EMPTY.some((part) => expression.includes(part)))).toEqual([])
  })

  test('counts each push once, whichever process reported it', async () => {
    const accepted = real.deps.db
      .selectFrom('notifications')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('is_send', '=', true)
    const { n } = await accepted.executeTakeFirstOrThrow()
    expect(n).toBe(40)
    expect(await prometheus.query('sum(swapbell_push_outcomes_total{outcome="accepted"})')).toEqual([40])
    expect(await prometheus.query('count(swapbell_installation_batches_due{lane="campaign"})')).toEqual([2])
    expect(await prometheus.query('max(swapbell_installation_batches_due{lane="campaign"})')).toEqual([0])
    expect(await prometheus.query('count(swapbell_loops > 0)')).toEqual([1])
  })

  test('fires each rule when it should, and is silent when it should be', () => {
    promtool(['check', 'rules', `${DEPLOY}prometheus/alerts.yml`])
    promtool(['check', 'config', `${DEPLOY}prometheus/prometheus.yml`])
    expect(promtool(['test', 'rules', `${DEPLOY}prometheus/alerts.test.yml`])).toContain('SUCCESS')
  })
})
