import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFaults, readNotes } from './facts.ts'
import { imageCommand } from './image.ts'

/** What differs between installations of CI: variables of the workflow. */
export type ReleaseSettings = {
  /** The image without a tag, such as registry.example/swapbell. */
  image: string
  /** The base by its digest, such as node@sha256:…. */
  nodeImage: string
  /** Separated by commas. */
  platforms: string
  npmRegistry: string
  /** The address of the repository, for the labels of the image. */
  source: string
  /** Otherwise commands that publish are printed, not run. */
  publishes: boolean
}
export type Step = { doc: string; run(settings: ReleaseSettings): string | Promise<string> }

const ROOT = join(import.meta.dirname, '../..')
const OUT = join(ROOT, 'release')

export const STEPS = {
  check: {
    doc: 'Check that this commit is a release: one version, its changelog, its description of the API, its tag',
    run: async () => {
      const { version, faults } = await findFaults(ROOT)
      if (faults.length > 0) throw new Error(faults.join('\n'))
      return `Version ${version} can be released.`
    },
  },
  notes: {
    doc: 'Write release/notes.md from the changelog',
    run: () => written('notes.md', readNotes(read('CHANGELOG.md'), readVersion())),
  },
  sbom: {
    doc: 'Write release/sbom.cdx.json, the packages that the image contains',
    run: () => {
      const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--workspace=server', '--package-lock-only']
      return written('sbom.cdx.json', readOutput('npm', args))
    },
  },
  client: {
    doc: 'Pack the client into release/',
    run: () => {
      mkdirSync(OUT, { recursive: true })
      return readOutput('npm', ['pack', '--workspace=client', `--pack-destination=${OUT}`]).trim()
    },
  },
  image: {
    doc: 'Build the image with labels, SBOM and provenance, and push it',
    run: (settings) => {
      mkdirSync(OUT, { recursive: true })
      const commit = readOutput('git', ['rev-parse', 'HEAD']).trim()
      return publish(
        settings,
        imageCommand(settings, { version: readVersion(), commit, metadata: join(OUT, 'image.json') }),
      )
    },
  },
  'publish-client': {
    doc: 'Publish the packed client to the registry of packages',
    run: (settings) => {
      const { name } = JSON.parse(read('client/package.json')) as { name: string }
      const file = `${name.replace('@', '').replace('/', '-')}-${readVersion()}.tgz`
      const how = ['--access=public', '--provenance', `--registry=${settings.npmRegistry}`]
      return publish(settings, ['npm', 'publish', join(OUT, file), ...how])
    },
  },
  publish: {
    doc: 'Publish the release with its notes, the SBOM and the client',
    run: (settings) => {
      const tag = `v${readVersion()}`
      const files = ['sbom.cdx.json', 'image.json'].map((file) => join(OUT, file))
      return publish(settings, [
        'gh',
        'release',
        'create',
        tag,
        '--verify-tag',
        `--notes-file=${join(OUT, 'notes.md')}`,
        ...files,
      ])
    },
  },
} satisfies Record<string, Step>

export function readSettings(env: Record<string, string | undefined>): ReleaseSettings {
  return {
    image: env['RELEASE_IMAGE'] ?? '',
    nodeImage: env['NODE_IMAGE'] ?? '',
    platforms: env['RELEASE_PLATFORMS'] || 'linux/amd64',
    npmRegistry: env['NPM_REGISTRY'] ?? '',
    source: env['RELEASE_SOURCE'] ?? '',
    publishes: env['RELEASE_PUBLISHES'] === 'yes',
  }
}

function publish({ publishes }: ReleaseSettings, command: string[]): string {
  if (!publishes) return `Not run, because RELEASE_PUBLISHES is not "yes":\n${command.join(' ')}`
  const [program = '', ...args] = command
  return readOutput(program, args)
}

function readOutput(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${error?.message ?? stderr}`)
  return stdout
}

function written(name: string, text: string): string {
  mkdirSync(OUT, { recursive: true })
  writeFileSync(join(OUT, name), text)
  return `Wrote release/${name}.`
}

function readVersion(): string {
  return (JSON.parse(read('package.json')) as { version: string }).version
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
