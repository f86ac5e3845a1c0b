// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

// A project in miniature, whose one package is the Node these tests run on: npm installs it without a network.
const root = join(await mkdtemp(join(tmpdir(), 'swapbell-install-')), 'a clone')
const INSTALLING = 'Installing missing packages'

beforeAll(async () => {
  await mkdir(join(root, 'scripts'), { recursive: true })
  await mkdir(join(root, 'runtime'))
  for (const name of ['install', 'install-npm', 'install-process', 'packages'])
    await cp(new URL(`${name}.mjs`, import.meta.url), join(root, 'scripts', `${name}.mjs`))
  await writeFile(join(root, 'runtime', 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  await writeJson('runtime/package.json', { name: 'runtime', version: '1.0.0', bin: { node: 'node' } })
  await writeJson('package.json', { name: 'clone', version: '1.0.0', devDependencies: { runtime: 'file:runtime' } })
  await writeJson('package-lock.json', lockfile({}))
})

afterAll(() => rm(join(root, '..'), { recursive: true }))

test('a fresh clone installs what is missing, once, even when two start at the same time', async () => {
  const both = await Promise.all([install(), install()])
  expect(both.map((run) => run.code)).toEqual([0, 0])
  expect(both.filter((run) => run.output.includes(INSTALLING))).toHaveLength(1)
  const again = await install()
  expect(again).toEqual({ code: 0, output: '' })
})

test('a changed lockfile is installed again, and so is an interrupted installation', async () => {
  await writeJson('package-lock.json', lockfile({ license: 'MIT' }))
  // Without npm's own record: it would show that the versions are the same as before.
  await rm(join(root, 'node_modules', '.package-lock.json'))
  expect((await install()).output).toContain(INSTALLING)
  await rm(join(root, 'node_modules', '.bin', 'node'))
  expect((await install()).output).toContain(INSTALLING)
  await rm(join(root, 'node_modules', '.installed'))
  await writeFile(join(root, '.installing'), String(2 ** 31 - 1))
  expect((await install()).output).toContain(INSTALLING)
})

test('an installation made by hand is not changed', async () => {
  await rm(join(root, 'node_modules', '.installed'))
  expect((await install()).output).not.toContain(INSTALLING)
})

test('an installation for production is neither removed nor completed', async () => {
  await rm(join(root, 'node_modules'), { recursive: true })
  await mkdir(join(root, 'node_modules', 'fastify'), { recursive: true })
  await writeJson('node_modules/.package-lock.json', { packages: { 'node_modules/fastify': { version: '5.0.0' } } })
  const run = await install('trial')
  expect(run.code).toBe(1)
  expect(run.output).toContain('node_modules has what the service runs with in production')
  expect(await readdir(join(root, 'node_modules'))).toEqual(['.package-lock.json', 'fastify'])
  await rm(join(root, 'node_modules'), { recursive: true })
})

test('a failure of npm is shown with its output and stops the installation', async () => {
  const manifest = await readFile(join(root, 'package.json'), 'utf8')
  await writeJson('package.json', { name: 'clone', version: '1.0.0', dependencies: { missing: 'file:missing.tgz' } })
  await writeJson('package-lock.json', { name: 'clone', version: '1.0.0', lockfileVersion: 3, packages: {} })
  const run = await install()
  expect(run.code).toBe(1)
  expect(run.output).toContain('missing.tgz')
  expect(run.output).toContain('npm install failed')
  await writeFile(join(root, 'package.json'), manifest)
})

async function writeJson(name: string, content: unknown): Promise<void> {
  await writeFile(join(root, name), JSON.stringify(content))
}

function lockfile(extra: Record<string, unknown>): unknown {
  const packages = {
    '': { name: 'clone', version: '1.0.0', devDependencies: { runtime: 'file:runtime' } },
    'node_modules/runtime': { resolved: 'runtime', link: true },
    runtime: { version: '1.0.0', dev: true, bin: { node: 'node' }, ...extra },
  }
  return { name: 'clone', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
}

async function install(...level: string[]): Promise<{ code: unknown; output: string }> {
  const installer = spawn(process.execPath, [join(root, 'scripts', 'install.mjs'), ...level], { cwd: root })
  let output = ''
  for (const stream of [installer.stdout, installer.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(installer, 'close')
  return { code, output }
}
