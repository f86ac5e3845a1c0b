// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

// A project in miniature with a registry of its own: a trial of it runs with four packages, its panel is built by one
// more, and its checks are another.
const folder = await mkdtemp(join(tmpdir(), 'swapbell-parts-'))
const root = join(folder, 'a clone')
const NAMES = ['node', 'database', 'web', 'web-part', 'ui', 'check'] as const
const NEEDS: Partial<Record<string, Record<string, string>>> = { web: { 'web-part': '1.0.0' } }
const asked: string[] = []
const registry = createServer((request, response) => {
  asked.push(request.url ?? '')
  readFile(join(folder, /[\w.-]+$/.exec(request.url ?? '')?.[0] ?? '')).then(
    (file) => response.end(file),
    () => response.writeHead(404).end(),
  )
}).listen(0, '127.0.0.1')

beforeAll(async () => {
  await Promise.all(NAMES.map(packOne))
  await mkdir(join(root, 'scripts'), { recursive: true })
  for (const name of ['install', 'install-npm', 'install-process', 'packages'])
    await cp(new URL(`${name}.mjs`, import.meta.url), join(root, 'scripts', `${name}.mjs`))
  await writeManifest('>=999.0')
})

afterAll(async () => {
  registry.closeAllConnections()
  registry.close()
  await rm(folder, { recursive: true })
})

test('a trial gets what it runs with, its panel what builds it, and the checks come last', async () => {
  expect(await installed('trial')).toEqual(['node', 'database', 'web', 'web-part'])
  expect(asked.filter((path) => !path.endsWith('.tgz'))).toEqual([])
  expect(await installed('panel')).toEqual(['node', 'database', 'web', 'web-part', 'ui'])
  asked.length = 0
  expect(await installed('trial')).toHaveLength(5)
  expect(asked).toEqual([])
})

test('what an interrupted installation left is replaced', async () => {
  await rm(join(root, 'node_modules', '.installed'))
  await rm(join(root, 'node_modules', 'web'), { recursive: true })
  await mkdir(join(root, 'node_modules', '.parts', 'half'), { recursive: true })
  await writeFile(join(root, '.installing'), String(2 ** 31 - 1))
  expect(await installed('trial')).toEqual(['node', 'database', 'web', 'web-part'])
})

test('a Node of the system that is new enough is used, and none is installed', async () => {
  await writeManifest('>=18.0')
  await rm(join(root, 'node_modules'), { recursive: true })
  expect(await installed('trial')).toEqual(['database', 'web', 'web-part'])
  expect(await readlink(join(root, 'node_modules', '.bin', 'node'))).not.toContain('node_modules')
})

/** The names that are there after an installation for `level`. */
async function installed(level: string): Promise<string[]> {
  const { port } = registry.address() as AddressInfo
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, 'cache'),
  }
  const installer = spawn(process.execPath, [join(root, 'scripts', 'install.mjs'), level], { cwd: root, env })
  let output = ''
  for (const stream of [installer.stdout, installer.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(installer, 'close')
  expect([code, output]).toEqual([0, expect.not.stringContaining('Trying once more')])
  const found = await Promise.all(
    NAMES.map(async (name) =>
      readFile(join(root, 'node_modules', name, 'package.json')).then(
        () => [name],
        () => [],
      ),
    ),
  )
  return found.flat()
}

async function packOne(name: (typeof NAMES)[number]): Promise<void> {
  const own = join(folder, 'packages', name, 'package')
  await mkdir(own, { recursive: true })
  const manifest = { name, version: '1.0.0', dependencies: NEEDS[name] ?? {}, ...(name === 'node' && { bin: 'node' }) }
  await writeFile(join(own, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(own, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  execFileSync('tar', ['-czf', join(folder, `${name}-1.0.0.tgz`), '-C', join(own, '..'), 'package'])
}

async function writeManifest(node: string): Promise<void> {
  const manifest = {
    name: 'clone',
    version: '1.0.0',
    engines: { node },
    devDependencies: { node: '1.0.0', check: '1.0.0' },
  }
  const entries = NAMES.map(async (name) => {
    const file = await readFile(join(folder, `${name}-1.0.0.tgz`))
    const integrity = `sha512-${createHash('sha512').update(file).digest('base64')}`
    const bin = name === 'node' && { bin: { node: 'node' } }
    return [`node_modules/${name}`, { version: '1.0.0', integrity, ...bin, dependencies: NEEDS[name] ?? {} }] as const
  })
  const packages = {
    '': manifest,
    'local-postgres': { dependencies: { database: '1.0.0' } },
    server: { dependencies: { web: '1.0.0' } },
    panel: { devDependencies: { ui: '1.0.0' } },
    ...Object.fromEntries(await Promise.all(entries)),
  }
  await writeFile(join(root, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ name: 'clone', lockfileVersion: 3, packages }))
}
