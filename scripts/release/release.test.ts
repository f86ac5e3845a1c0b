// Slow: it packs the client and asks npm for lists.
import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readNotes } from './facts.ts'
import { imageCommand } from './image.ts'
import { readSettings, STEPS } from './steps.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const DIGEST = `node@sha256:${'0123456789abcdef'.repeat(4)}`
const run = promisify(execFile)
const release = async (step: string, env: Record<string, string> = {}) =>
  (await run(process.execPath, [MAIN, step], { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env } }))
    .stdout

const CHANGELOG = `# Changelog

## Unreleased

## 0.3.0

- One change.
- Another.

## 0.2.0

- An old one.
`

describe('A release', () => {
  test('has the notes of its section of the changelog, and none while a change is not in a section', () => {
    expect(readNotes(CHANGELOG, '0.3.0')).toBe('- One change.\n- Another.\n')
    expect(() => readNotes(CHANGELOG, '0.4.0')).toThrow('no section 0.4.0')
    expect(() => readNotes(CHANGELOG.replace('Unreleased\n', 'Unreleased\n\n- New.\n'), '0.3.0')).toThrow(
      'not released',
    )
  })

  test('of an image names its base by a digest, its version, commit and licence, and adds an SBOM and provenance', () => {
    const settings = readSettings({ RELEASE_IMAGE: 'registry.example/swapbell', NODE_IMAGE: DIGEST })
    const build = { version: '0.3.0', commit: 'c'.repeat(40), metadata: 'release/image.json' }
    const command = imageCommand(settings, build)
    for (const part of [
      '--sbom=true',
      '--provenance=mode=max',
      `--build-arg=NODE_IMAGE=${DIGEST}`,
      '--label=org.opencontainers.image.version=0.3.0',
      `--label=org.opencontainers.image.revision=${build.commit}`,
      '--label=org.opencontainers.image.licenses=MIT',
      '--tag=registry.example/swapbell:0.3.0',
    ])
      expect(command).toContain(part)
    for (const nodeImage of ['', 'node:24-bookworm-slim', 'node@sha256:12'])
      expect(() => imageCommand({ ...settings, nodeImage }, build)).toThrow('by its digest')
    expect(() => imageCommand({ ...settings, image: '' }, build)).toThrow('RELEASE_IMAGE')
  })

  test('lists the packages that the image contains, and no others', async () => {
    expect(await release('sbom')).toContain('release/sbom.cdx.json')
    const { components } = JSON.parse(await readFile(`${ROOT}release/sbom.cdx.json`, 'utf8')) as {
      components: { name: string; licenses?: unknown[] }[]
    }
    const names = components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'kysely']))
    expect(names.filter((name) => /^(?:vitest|vite|typescript|prettier)$/.test(name))).toEqual([])
  })

  test('packs the client', async () => {
    const file = (await release('client')).trim()
    const files = execFileSync('tar', ['tzf', `${ROOT}release/${file.split('\n').at(-1)}`], { encoding: 'utf8' })
    expect(files).toContain('package/package.json')
  })

  test('publishes nothing unless it is told to, and says why a commit is none', async () => {
    expect(await release('publish-client', { NPM_REGISTRY: 'https://registry.example/' })).toMatch(
      /^Not run, because.*\nnpm publish /,
    )
    expect(await release('publish')).toMatch(/^Not run, because.*\ngh release create v/)
    const image = await release('image', { RELEASE_IMAGE: 'registry.example/swapbell', NODE_IMAGE: DIGEST })
    expect(image).toMatch(/^Not run, because.*\ndocker buildx build --push /)
    await expect(release('image')).rejects.toThrow('RELEASE_IMAGE must name the image')
    await expect(release('check')).rejects.toThrow(/has no tag v|no section|not released|not committed/)
  })

  test('is made by a workflow whose steps are all of these commands, in their order', async () => {
    const { jobs } = parse(await readFile(`${ROOT}.github/workflows/release.yml`, 'utf8')) as {
      jobs: { release: { steps: { run?: string }[] } }
    }
    const commands = jobs.release.steps.map(({ run: command = '' }) => /^npm run release -- (\S+)$/.exec(command)?.[1])
    expect(commands.filter((command) => command !== undefined)).toEqual(Object.keys(STEPS))
  })
})
