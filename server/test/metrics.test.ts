// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { describe, expect, onTestFinished } from 'vitest'
import { freePort } from '../../local-postgres/src/free-port.ts'
import type { Deps } from '../src/deps.ts'
import { createMetrics } from '../src/deps.ts'
import { serveMetrics } from '../src/service.ts'
import { test } from './support/app.ts'
import { calmDown, send, untilRetry, usersWithPhones } from './support/campaign.ts'
import { drain } from './support/drain.ts'
import { beginLoop } from './support/loop.ts'
import { processBehindLink } from './support/processes.ts'
import { createLoops } from '../src/platform/jobs/loops.ts'

/** The metrics of a process with these parts, on a port of their own. */
async function scraped(deps: Deps) {
  const server = await serveMetrics({ ...deps, config: { ...deps.config, METRICS_PORT: await freePort() } })
  if (server === undefined) throw new Error('No metrics are served.')
  onTestFinished(() => server.close())
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${server.url}${path}`, { method })
    return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') }
  }
  const scrape = async () => parseSamples((await ask('/metrics')).text)
  return { ask, scrape }
}

/** Parts whose figures begin at zero. */
function freshly({ deps }: { deps: Deps }): Deps {
  return { ...deps, metrics: createMetrics({ part: 'web', loops: deps.loops }) }
}

function parseSamples(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

describe('the metrics of a process', () => {
  test('count requests by the pattern of their route and by status, never by what callers write', async ({
    app,
    deps,
    given,
  }) => {
    const { scrape } = await scraped({ ...deps })
    const { headers } = await given.user()
    for (const id of [901_001, 901_002, 901_003]) {
      const answer = await app.inject({ method: 'POST', url: `/api/v1/users/${id}/report`, headers, payload: {} })
      expect(answer.statusCode).toBe(422)
    }
    await app.inject({ url: '/api/v1/users/1/report', method: 'PUT' })
    for (const path of ['/nowhere/one', '/nowhere/two']) await app.inject({ url: path })
    const samples = await scrape()
    const of = (labels: string) => samples.get(`swapbell_http_requests_total{${labels}}`)
    expect(of('method="POST",route="/api/v1/users/:id/report",status="422"')).toBe(3)
    expect(of('method="any",route="none",status="404"')).toBeGreaterThanOrEqual(2)
    expect([...samples.keys()].join('\n')).not.toMatch(/90100\d|nowhere/)
    expect(
      samples.get('swapbell_http_request_duration_seconds_count{method="POST",route="/api/v1/users/:id/report"}'),
    ).toBe(3)
  })

  test('name statements by their function, or by verb and table, and never hold SQL', async ({ deps, app, given }) => {
    const { scrape } = await scraped(deps)
    const { headers } = await given.user()
    await app.inject({ url: '/api/v1/profile', headers })
    const names = [...(await scrape()).keys()].flatMap((line) => {
      const [, name] = /^swapbell_database_statement_duration_seconds_count\{statement="(.*)"\}/.exec(line) ?? []
      return name === undefined ? [] : [name]
    })
    expect(names).toContain('find-sessions')
    expect(names).toContain('commit')
    expect(names).toContain('insert users')
    expect(names).toContain('findInstallationFigures')
    expect(names.filter((name) => !/^[\w-]+(?: [\w-]+)*$/.test(name) || name.length > 60)).toEqual([])
  })

  test('show sent pushes as the provider counts them, and possible duplicates', async ({
    service,
    simulator,
    deps,
  }) => {
    await calmDown(service)
    const own = { ...service, deps: { ...deps, ...freshly(service) } }
    const { scrape } = await scraped(own.deps)
    own.deps.metrics.push.open('expo', 0)
    const users = await usersWithPhones(service, 4)
    simulator.script([{ match: 'send', times: 1, status: 500 }])
    await send(service, users)
    await drain(own)
    await untilRetry(service)
    await drain(own)
    const samples = await scrape()
    const outcomes = ['accepted', 'refused', 'unknown'].map((outcome) =>
      samples.get(`swapbell_push_outcomes_total{provider="expo",lane="campaign",outcome="${outcome}"}`),
    )
    expect(outcomes).toEqual([4, 0, 4])
    expect(samples.get('swapbell_push_possible_duplicates_total{provider="expo",lane="campaign"}')).toBe(4)
    expect(samples.get('swapbell_push_claims_total{provider="expo",lane="campaign"}')).toBe(2)
    expect(samples.get('swapbell_push_claims_total{provider="expo",lane="transactional"}')).toBe(0)
    expect(samples.get('swapbell_push_request_duration_seconds_count{provider="expo"}')).toBe(2)
  })
})

describe('the figures of the installation', () => {
  test('show due batches, the breaker and open alerts', async ({ service, simulator, clock }) => {
    simulator.script([{ match: 'send', status: 401 }])
    await send(service, await usersWithPhones(service, 2), { promotional: false })
    await drain(service)
    await clock.tick(30_000)
    const { scrape } = await scraped(freshly(service))
    const samples = await scrape()
    const figure = (name: string) => samples.get(`swapbell_installation_${name}`)
    expect(samples.get('swapbell_database_figures_up')).toBe(1)
    expect(figure('batches_due{lane="transactional"}')).toBe(1)
    expect(figure('batches_due{lane="campaign"}')).toBe(0)
    expect(figure('oldest_due_batch_age_seconds{lane="transactional"}')).toBeGreaterThanOrEqual(30)
    expect(figure('breaker{provider="expo",state="halted"}')).toBe(1)
    expect(figure('breaker{provider="expo",state="closed"}')).toBe(0)
    expect(figure('alerts_open{code="Unauthorized"}')).toBe(1)
    expect(figure('audit_entries')).toBeGreaterThan(0)
    expect(figure('push_requests_abandoned')).toBe(0)
    await calmDown(service)
  })

  test('are read once for all who scrape within ten seconds', async ({ service, deps }) => {
    const { scrape } = await scraped(freshly(service))
    const name = 'swapbell_database_statement_duration_seconds_count{statement="findInstallationFigures"}'
    const reads = async () => parseSamples(await deps.metrics.registry.text()).get(name) ?? 0
    const before = await reads()
    await Promise.all(Array.from({ length: 8 }, scrape))
    await scrape()
    expect((await reads()) - before).toBe(1)
  })

  test('are absent, and marked so, while the database does not answer; the others are served', async ({ service }) => {
    const { deps, link } = await processBehindLink(service)
    link.stall()
    const { scrape } = await scraped(freshly({ deps }))
    const samples = await scrape()
    expect(samples.get('swapbell_database_figures_up')).toBe(0)
    expect([...samples.keys()].filter((name) => name.startsWith('swapbell_installation'))).toEqual([])
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    link.cut()
  })
})

describe('the port of the metrics', () => {
  test('answers metrics and health checks and nothing else; the API’s port has none of them', async ({ deps, app }) => {
    const { ask } = await scraped(deps)
    expect(await ask('/metrics')).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    expect(await ask('/live')).toMatchObject({ status: 200, text: 'live\n' })
    expect(await ask('/ready')).toMatchObject({ status: 200, text: 'ready\n' })
    expect(await ask('/api/health')).toMatchObject({ status: 404 })
    expect(await ask('/metrics', 'POST')).toMatchObject({ status: 405 })
    for (const url of ['/metrics', '/live', '/ready']) expect((await app.inject({ url })).statusCode).toBe(404)
  })

  test('says that a process which stops is not ready, but live', async ({ deps }) => {
    const { ask } = await scraped(deps)
    deps.lifecycle.draining = true
    const [live, ready] = [await ask('/live'), await ask('/ready')]
    deps.lifecycle.draining = false
    expect([live.status, ready.status]).toEqual([200, 503])
  })

  test('says that a process is not live when one of its loops is late', async ({ deps }) => {
    let now = 0
    const loops = createLoops(50, () => now)
    const { ask } = await scraped({ ...deps, loops })
    const lane = beginLoop(loops, 'expo campaign', 10)
    expect((await ask('/live')).status).toBe(200)
    now += 80
    expect(await ask('/live')).toMatchObject({ status: 503, text: 'the loop expo campaign does not come around\n' })
    lane.isAlive()
    expect((await ask('/live')).status).toBe(200)
    await lane.end()
  })
})
