import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { describeSettings } from '../server/src/platform/config/config.ts'
import { readSettings } from '../server/src/platform/config/read-config.ts'
import { VARIABLES } from '../server/src/platform/config/settings.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SETTINGS = describeSettings(VARIABLES).map(({ name }) => name)
const PROCESSES = ['web', 'worker'] as const
// docs/operations.md, "The database": a process that starts opens three more, and PostgreSQL keeps three for itself.
const OPENED_AT_START = 3
const RESERVED = 3
const LEAST = { JWT_SECRET: 'q7Zt0m3Rk9Xw2Vb8Nc5Ly1Hd6Sg4Pf0J', EXPO_BASE_URL: 'http://127.0.0.1:3200' }

const read = async (path: string) => readFile(join(ROOT, path), 'utf8')

type Environment = Record<string, string | number>

// The operator has set every variable.
const THEIRS: Environment = Object.fromEntries(SETTINGS.map((name) => [name, 'theirs']))

function decided(own: Environment): string[] {
  const reaching = { ...THEIRS, ...own }
  return SETTINGS.filter((name) => reaching[name] !== 'theirs')
}

describe('Every setting reaches web and worker', () => {
  test('with compose.yaml, but for those that its containers decide', async () => {
    for (const name of PROCESSES) {
      const { env_file: files, environment } = (await readCompose()).services[name]!
      expect(files).toEqual(['${SETTINGS_FILE:-.env}'])
      const theirs = Object.entries(environment ?? {}).filter(([key, value]) => !isPassedOn(key, value))
      expect(decided(Object.fromEntries(theirs))).toEqual([
        'PROCESS',
        'PORT',
        'HOST',
        'ACCEPTED_RISKS',
        'DATABASE_URL',
        'METRICS_PORT',
        'METRICS_HOST',
        'LIMITS_FILE',
      ])
    }
    expect(await read('deploy/trial.env')).toMatch(/^COMPOSE_PROJECT_NAME=.*trial\n[^]*^SETTINGS_FILE=.*trial/m)
  })

  test('with systemd, but for what each process is', async () => {
    const unit = await read('deploy/systemd/swapbell@.service')
    const files = [...unit.matchAll(/^EnvironmentFile=(.*)$/gm)].map(([, file]) => file)
    expect(files).toEqual(['/etc/swapbell/settings.env', '/etc/swapbell/%i.env'])
    expect(unit).not.toMatch(/^Environment=/m)
    const own = await Promise.all(PROCESSES.map(readInstance))
    for (const environment of own) expect(decided(environment)).toEqual(['PROCESS', 'METRICS_PORT'])
    expect(own.map(({ PROCESS }) => PROCESS)).toEqual([...PROCESSES])
    const [{ static_configs: scraped }] = (parse(await read('deploy/prometheus/prometheus.yml')) as Prometheus)
      .scrape_configs
    expect(scraped[0].targets).toEqual(own.map(({ METRICS_PORT }) => `127.0.0.1:${METRICS_PORT}`))
  })

  test('on Kubernetes, from the map and the secret, but for what each process is', async () => {
    for (const { spec } of await deployments()) {
      const [{ env, envFrom, volumeMounts }] = spec.template.spec.containers
      expect(envFrom).toEqual([{ configMapRef: { name: 'swapbell' } }, { secretRef: { name: 'swapbell' } }])
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]))
      expect(decided(own)).toEqual(['PROCESS'])
      // Where `LIMITS_FILE` of the map points.
      expect(spec.template.spec.volumes).toContainEqual({ name: 'limits', configMap: { name: 'swapbell-limits' } })
      expect(volumeMounts).toContainEqual({ name: 'limits', mountPath: '/etc/swapbell', readOnly: true })
    }
    const named = (await Promise.all(['base', 'example'].map(readConfigMap))).flatMap(Object.keys)
    expect(named.filter((name) => !SETTINGS.includes(name))).toEqual([])
  })
})

describe('The connections of all processes at their largest fit into the database', () => {
  test('of compose.yaml', async () => {
    const { services } = await readCompose()
    const [, most] = /max_connections=(\d+)/.exec(services['database']!.command!.join(' ')) ?? []
    expect(Number(most)).toBeGreaterThanOrEqual(
      (await countConnections('deploy/limits.json', { web: 1, worker: 1 })) + RESERVED,
    )
  })

  test('of a machine with systemd, with PostgreSQL’s own default', async () => {
    expect(await countConnections('deploy/limits.json', { web: 1, worker: 1 })).toBeLessThanOrEqual(100 - RESERVED)
  })

  test('of Kubernetes, while a rollout adds processes', async () => {
    const text = await read('deploy/kubernetes/base/kustomization.yaml')
    const [, most] = /PostgreSQL with max_connections = (\d+)\./.exec(text) ?? []
    const manifests = await kubernetes()
    const largest = Object.fromEntries(
      (await deployments()).map(({ metadata, spec }) => {
        const scaler = manifests.find(
          ({ kind, spec: { scaleTargetRef } }) =>
            kind === 'HorizontalPodAutoscaler' && scaleTargetRef?.name === metadata.name,
        )
        // A number beside an autoscaler would undo what it decided, at each apply.
        expect(scaler === undefined).toBe(spec.replicas !== undefined)
        const running = scaler?.spec.maxReplicas ?? spec.replicas!
        return [
          spec.template.metadata.labels['app.kubernetes.io/component'],
          running + spec.strategy.rollingUpdate.maxSurge,
        ]
      }),
    )
    expect(largest).toMatchObject({ web: expect.any(Number), worker: expect.any(Number) })
    expect(Number(most)).toBeGreaterThanOrEqual(
      (await countConnections('deploy/kubernetes/base/limits.json', largest)) + RESERVED,
    )
  })
})

test('every container of compose.yaml has a limit of memory and turns its log over', async () => {
  for (const { logging, mem_limit: memory } of Object.values((await readCompose()).services)) {
    expect(memory).toMatch(/\d+[mg]/)
    expect(logging?.options).toMatchObject({ 'max-size': expect.any(String), 'max-file': expect.any(String) })
  }
})

test('the heap of a process fits into its limit of memory, of which Kubernetes reserves what is used', async () => {
  const HEAP = 512
  const BESIDE_HEAP = 200
  const image = await read('Dockerfile')
  const own = await Promise.all(PROCESSES.map(readInstance))
  const environments = own.map(({ NODE_OPTIONS, MALLOC_ARENA_MAX }) => `${NODE_OPTIONS} ${MALLOC_ARENA_MAX}`)
  expect(environments).toEqual(PROCESSES.map(() => `--max-old-space-size=${HEAP} 1`))
  expect(image).toContain(`\nENV NODE_OPTIONS=--max-old-space-size=${HEAP} MALLOC_ARENA_MAX=1\n`)
  const { services } = await readCompose()
  const [, unit] = /^MemoryMax=(\d+)M$/m.exec(await read('deploy/systemd/swapbell@.service')) ?? []
  const pods = (await deployments()).map(({ spec }) => spec.template.spec.containers[0].resources)
  const limits = [
    unit,
    ...PROCESSES.map((name) => services[name]?.mem_limit),
    ...pods.map(({ limits: of }) => of.memory),
  ]
  for (const limit of limits) expect(parseInt(limit ?? '', 10)).toBeGreaterThanOrEqual(HEAP + BESIDE_HEAP)
  // docs/sizing.md: a web process with 5,000 streams or a busy one.
  for (const { requests } of pods) expect(parseInt(requests.memory, 10)).toBeGreaterThan(435)
})

test('the database of compose.yaml can be backed up from its machine, and images may be named by their digests', async () => {
  const { services } = await readCompose()
  expect(services['database']?.ports).toEqual(['127.0.0.1:${DATABASE_PORT:-5432}:5432'])
  for (const { image } of Object.values(services)) expect(image).toMatch(/^\$\{|:latest$/)
  const bases = [...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)
  expect(new Set(bases)).toEqual(new Set(['${NODE_IMAGE}', 'manifests', 'scratch']))
})

test('on Kubernetes nobody reaches a port but by a namespace, and Prometheus finds the job of its rules', async () => {
  const manifests = await kubernetes()
  const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy')!
  for (const { from } of policy.spec.ingress ?? []) expect(from?.length).toBe(1)
  const [endpoint] = manifests.find(({ kind }) => kind === 'PodMonitor')!.spec.podMetricsEndpoints ?? []
  expect(endpoint?.relabelings).toContainEqual({ targetLabel: 'job', replacement: 'swapbell' })
})

type Service = {
  image: string
  env_file?: string[]
  environment?: Environment
  command?: string[]
  ports?: string[]
  logging?: { options: Record<string, string> }
  mem_limit?: string
}
type Prometheus = { scrape_configs: [{ static_configs: [{ targets: string[] }] }] }
type Manifest = {
  kind: string
  metadata: { name: string }
  spec: {
    replicas?: number
    maxReplicas?: number
    scaleTargetRef?: { name: string }
    ingress?: { from?: unknown[] }[]
    podMetricsEndpoints?: { relabelings: unknown[] }[]
  }
}
type Deployment = Manifest & {
  spec: {
    strategy: { rollingUpdate: { maxSurge: number } }
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        volumes: unknown[]
        containers: [
          {
            env: { name: string; value: string }[]
            envFrom: unknown[]
            volumeMounts: unknown[]
            resources: { requests: { memory: string }; limits: { memory: string } }
          },
        ]
      }
    }
  }
}

async function readCompose(): Promise<{ services: Record<string, Service> }> {
  return parse(await read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
}

/** `NAME: ${NAME:-default}` gives the operator's value. */
function isPassedOn(name: string, value: string | number): boolean {
  return String(value).startsWith(`\${${name}:`)
}

async function readInstance(name: string): Promise<Environment> {
  const lines = [...(await read(`deploy/systemd/${name}.env`)).matchAll(/^(\w+)=(.*)$/gm)]
  return Object.fromEntries(lines.map(([, key = '', value = '']) => [key, value]))
}

async function kubernetes(): Promise<Manifest[]> {
  const files = await Array.fromAsync(glob('deploy/kubernetes/base/*.yaml', { cwd: ROOT }))
  const texts = await Promise.all(files.map(read))
  const manifests = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest))
  return manifests.filter(({ spec }) => spec !== undefined)
}

async function deployments(): Promise<Deployment[]> {
  const found = (await kubernetes()).filter(({ kind }) => kind === 'Deployment')
  expect(found).toHaveLength(2)
  return found as Deployment[]
}

async function readConfigMap(folder: string): Promise<Environment> {
  const { configMapGenerator } = parse(await read(`deploy/kubernetes/${folder}/kustomization.yaml`)) as {
    configMapGenerator: { literals?: string[] }[]
  }
  const pairs = configMapGenerator.flatMap(({ literals = [] }) => literals.map((line) => line.split('=', 2)))
  return Object.fromEntries(pairs) as Environment
}

/** The sum of docs/operations.md, "Connections", with the pool that is set, while one process starts. */
async function countConnections(limits: string, processes: Record<string, number>): Promise<number> {
  const { config, faults } = readSettings({ ...LEAST, LIMITS_FILE: join(ROOT, limits) })
  expect(faults).toEqual([])
  const page = await read('docs/operations.md')
  const sums = PROCESSES.map((name) => {
    const [, beside = ''] =
      new RegExp(`^\\| \`${name}\` +\\| \`DATABASE_POOL\` \\|(( +\\d+ +\\|){4})`, 'm').exec(page) ?? []
    const [queue, exports, listening, sum] = beside.split('|').map(Number)
    expect(sum).toBe(16 + queue! + exports! + listening!)
    return processes[name]! * (config.DATABASE_POOL + queue! + exports! + listening!)
  })
  return sums.reduce((one, other) => one + other, OPENED_AT_START)
}
