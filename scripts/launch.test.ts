import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processStartedAt } from '../server/src/db/process-identity.ts'

// A project in miniature, whose one package is the Node these tests run on: npm installs it without a network.
const root = join(await mkdtemp(join(tmpdir(), 'swapbell-launch-')), 'a clone')
const INSTALLING = 'Installing what is missing'

beforeAll(async () => {
  await mkdir(join(root, 'scripts'), { recursive: true })
  await mkdir(join(root, 'runtime'))
  await cp(new URL('launch.mjs', import.meta.url), join(root, 'scripts', 'launch.mjs'))
  await writeFile(join(root, 'runtime', 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  await writeJson('runtime/package.json', { name: 'runtime', version: '1.0.0', bin: { node: 'node' } })
  await writeJson('package.json', { name: 'clone', version: '1.0.0', devDependencies: { runtime: 'file:runtime' } })
  await writeJson('package-lock.json', lockfile({}))
  await writeFile(
    join(root, 'scripts', 'answer.ts'),
    `const [code = '0'] = process.argv.slice(2) as string[]
     process.on('SIGTERM', () => process.exit(7))
     process.on('disconnect', () => process.exit(0))
     process.stdout.write('pid ' + process.pid + ' on ' + process.execPath + '\\n')
     if (code === 'wait') setInterval(() => undefined, 1000)
     else process.exit(Number(code))`,
  )
})

afterAll(() => rm(join(root, '..'), { recursive: true }))

test('a fresh clone installs what is missing, once, even when two start at the same time', async () => {
  const both = await Promise.all([launch('0'), launch('0')])
  expect(both.map((run) => run.code)).toEqual([0, 0])
  expect(both.filter((run) => run.output.includes(INSTALLING))).toHaveLength(1)
  const again = await launch('0')
  expect(again.output).not.toContain(INSTALLING)
  expect(again.output).toContain(`on ${process.execPath}`)
})

test('a changed lockfile is installed anew, and so is an installation that was cut short', async () => {
  await writeJson('package-lock.json', lockfile({ license: 'MIT' }))
  // Without npm's own record: it would show that the versions are the same as before.
  await rm(join(root, 'node_modules', '.package-lock.json'))
  expect((await launch('0')).output).toContain(INSTALLING)
  await rm(join(root, 'node_modules', '.bin', 'node'))
  expect((await launch('0')).output).toContain(INSTALLING)
  await rm(join(root, 'node_modules', '.installed'))
  await writeFile(join(root, '.installing'), String(2 ** 31 - 1))
  expect((await launch('0')).output).toContain(INSTALLING)
})

test('an installation made by hand is taken as it is', async () => {
  await rm(join(root, 'node_modules', '.installed'))
  expect((await launch('0')).output).not.toContain(INSTALLING)
})

test('the exit code of the program is passed on', async () => {
  expect((await launch('5')).code).toBe(5)
})

test('SIGTERM reaches the program, and its answer comes back', async () => {
  const running = await launchAndWait()
  running.launcher.kill('SIGTERM')
  expect(await once(running.launcher, 'exit')).toEqual([7, null])
})

test('when the launcher is killed, the program ends too', async () => {
  const running = await launchAndWait()
  running.launcher.kill('SIGKILL')
  const deadline = performance.now() + 5000
  while ((await processStartedAt(running.pid)) !== undefined && performance.now() < deadline) await sleep(20)
  expect(await processStartedAt(running.pid)).toBeUndefined()
})

test('a failure of npm is said, with its words, and nothing is started', async () => {
  const manifest = await readFile(join(root, 'package.json'), 'utf8')
  await writeJson('package.json', { name: 'clone', version: '1.0.0', dependencies: { missing: 'file:missing.tgz' } })
  await writeJson('package-lock.json', { name: 'clone', version: '1.0.0', lockfileVersion: 3, packages: {} })
  const run = await launch('0')
  expect(run.code).toBe(1)
  expect(run.output).toContain('missing.tgz')
  expect(run.output).toContain('npm install failed')
  expect(run.output).not.toContain('pid ')
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

function spawnLauncher(argument: string) {
  const args = [join(root, 'scripts', 'launch.mjs'), 'scripts/answer.ts', argument]
  return spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function launch(argument: string): Promise<{ code: unknown; output: string }> {
  const launcher = spawnLauncher(argument)
  let output = ''
  for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(launcher, 'close')
  return { code, output }
}

async function launchAndWait() {
  const launcher = spawnLauncher('wait')
  const [said] = await once(launcher.stdout, 'data')
  return { launcher, pid: Number(String(said).split(' ')[1]) }
}
