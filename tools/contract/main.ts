import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { breakingChanges, mayBreak } from './changes.ts'
import { describeApi } from './describe.ts'
import type { Description } from './description.ts'
import { REFUSED_BEFORE, sift } from './refused-before.ts'
import { keepAsReleased, releasedDescription } from './released.ts'

const HELP = `npm run contract              Checks the description of the API: two linters, and that nothing breaks the last release
npm run contract -- release   Makes it the released one, with which the next is compared`

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const LINTERS = toPath('./linters')
const INSTALLED = toPath('../../node_modules/.cache/contract-linters')
// The linters read a file.
const DOCUMENT = `${INSTALLED}/openapi.json`
const bin = (name: string) => `${INSTALLED}/node_modules/.bin/${name}`

const [command, ...others] = process.argv.slice(2)
if (others.length > 0 || (command !== undefined && command !== 'release')) {
  say(HELP)
  process.exitCode = command === '--help' ? 0 : 2
} else if (command === 'release') {
  keepAsReleased(await describeApi())
  writeFileSync(toPath('./refused-before.json'), '[]\n')
} else process.exitCode = check(await describeApi()) ? 0 : 1

/** Runs all checks, also after one that failed. */
function check(now: Description): boolean {
  const results = [isCompatible(now), install() && lint(now)]
  return results.every(Boolean)
}

function isCompatible(now: Description): boolean {
  const old = releasedDescription()
  const { changes, unused } = sift(breakingChanges(old, now), REFUSED_BEFORE)
  for (const change of unused) say(`refused-before.json names a change that there is not: ${change}`)
  if (unused.length > 0) return false
  if (changes.length === 0) return true
  if (mayBreak(old.info.version, now.info.version)) {
    say(`${changes.length} changes break ${old.info.version}; the version ${now.info.version} says so.`)
    return true
  }
  say(`These changes break programs written for ${old.info.version}, and the version is still ${now.info.version}:`)
  for (const change of changes) say(`  ${change}`)
  return false
}

/** The linters are installed when they are first needed, so that nobody else waits for them. */
function install(): boolean {
  const lockfile = 'package-lock.json'
  const isSame =
    existsSync(`${INSTALLED}/${lockfile}`) && text(`${INSTALLED}/${lockfile}`) === text(`${LINTERS}/${lockfile}`)
  if (isSame && existsSync(bin('redocly')) && existsSync(bin('spectral'))) return true
  say('Installing the linters (once)…')
  mkdirSync(INSTALLED, { recursive: true })
  for (const file of ['package.json', lockfile]) copyFileSync(`${LINTERS}/${file}`, `${INSTALLED}/${file}`)
  return run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `--prefix=${INSTALLED}`])
}

function text(path: string): string {
  return readFileSync(path, 'utf8')
}

function lint(now: Description): boolean {
  writeFileSync(DOCUMENT, JSON.stringify(now))
  const redocly = run(bin('redocly'), ['lint', `--config=${LINTERS}/redocly.yaml`, DOCUMENT])
  const spectral = run(bin('spectral'), [
    'lint',
    `--ruleset=${LINTERS}/spectral.yaml`,
    '--fail-severity=hint',
    '--fail-on-unmatched-globs',
    DOCUMENT,
  ])
  return redocly && spectral
}

function run(program: string, args: string[]): boolean {
  // Turns off its telemetry and its search for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env, timeout: 300_000 })
  if (error !== undefined) say(`${program} did not run: ${error.message}`)
  return status === 0
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
