import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

type Service = {
  image?: string
  command?: string[]
  mem_limit?: string
  logging?: { options: Record<string, string> }
  depends_on?: Record<string, { condition: string }>
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SERVERS = ['database', 'worker-1', 'worker-2']
// Their defaults are those of one server alone.
const OF_CITUS = /^(?:citus\.\w+|wal_level|max_prepared_transactions) ?= ?'?(\w+)'?$/

const read = async (path: string) => readFile(join(ROOT, path), 'utf8')

async function readServices(): Promise<Record<string, Service>> {
  return (parse(await read('deploy/citus/compose.yaml'), { merge: true }) as { services: Record<string, Service> })
    .services
}

test('each server of deploy/citus has the settings of docs/divided.md', async () => {
  const [, settings = ''] =
    /^shared_preload_libraries = 'citus'\n([\s\S]*?)\nSETTINGS$/m.exec(await read('docs/divided.md')) ?? []
  const wished = settings.split('\n').filter((line) => OF_CITUS.test(line))
  expect(wished).toHaveLength(6)
  const services = await readServices()
  for (const name of SERVERS)
    expect(services[name]?.command).toEqual(
      expect.arrayContaining(wished.map((line) => line.replaceAll(/ ?= ?/g, '=').replaceAll("'", ''))),
    )
})

test('the coordinator of deploy/citus knows its workers before the service makes the tables', async () => {
  const services = await readServices()
  const { command = [], depends_on: waits } = services['nodes']!
  expect(Object.keys(waits ?? {})).toEqual(SERVERS)
  expect(command.filter((one) => one.startsWith('select'))).toEqual([
    "select citus_set_coordinator_host('database')",
    ...SERVERS.slice(1).map((name) => `select citus_add_node('${name}', 5432)`),
  ])
  for (const name of ['web', 'worker'])
    expect(services[name]?.depends_on).toEqual({ nodes: { condition: 'service_completed_successfully' } })
})

test('every container of deploy/citus has a limit of memory, turns its log over, and may be named by its digest', async () => {
  const services = await readServices()
  for (const name of [...SERVERS, 'nodes']) {
    const { logging, mem_limit: memory, image } = services[name]!
    expect(memory).toMatch(/\d+[mg]/)
    expect(logging?.options).toMatchObject({ 'max-size': expect.any(String), 'max-file': expect.any(String) })
    expect(image).toMatch(/^\$\{CITUS_IMAGE:-citusdata\/citus:13\.2\.\d+\}$/)
  }
})
