// Installs missing packages: `node scripts/install.mjs && exec node_modules/.bin/node …`. It must run on any Node from
// 18 on with nothing installed, so it is plain JavaScript.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const ownNode = join(modules, '.bin', 'node')
const stamp = join(modules, '.installed')
const installing = join(root, '.installing')

try {
  if (!isInstalled()) await installAlone()
} catch (error) {
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}

/**
 * Whether node_modules is complete and matches this lockfile: by our stamp, or after an `npm install` by hand by npm's
 * record.
 */
function isInstalled() {
  if (!existsSync(ownNode)) return false
  if (read(stamp) === fingerprint()) return true
  if (existsSync(installing) || !npmFinished()) return false
  writeFileSync(stamp, fingerprint())
  return true
}

function fingerprint() {
  const lockfile = read(join(root, 'package-lock.json')) ?? read(join(root, 'package.json'))
  return createHash('sha256').update(`${process.platform} ${process.arch}\n${lockfile}`).digest('hex')
}

/** npm writes node_modules/.package-lock.json, a list of the installed packages, when an installation is complete. */
function npmFinished() {
  const wanted = JSON.parse(read(join(root, 'package-lock.json')) ?? '{}').packages
  const present = JSON.parse(read(join(modules, '.package-lock.json')) ?? '{}').packages
  if (!wanted || !present) return false
  const fits = ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version
  const known = ([path, entry]) => entry.optional || path in wanted
  return Object.entries(wanted).every(fits) && Object.entries(present).every(known)
}

/** One process installs; others wait for it. A lock of ended processes is ignored. */
async function installAlone() {
  for (let told = false; !takeLock(); told = true) {
    if (!told) say('Another run installs the missing packages: waiting for it.')
    await sleep(300)
  }
  try {
    if (!isInstalled()) await install()
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

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    // A zombie, ended but not yet collected by its parent, also answers signal 0.
    return !/\) Z /.test(read(`/proc/${pid}/stat`) ?? '')
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Installs from an empty node_modules with the versions of the lockfile. `npm ci` refuses a lockfile that lacks
 * variants of a package for other platforms, and some registries do not have them all. `--no-save` keeps the lockfile
 * unchanged.
 */
async function install() {
  say('Installing missing packages (once; about a minute)…')
  rmSync(modules, { recursive: true, force: true })
  // The checks and Node itself are development dependencies, which NODE_ENV=production would leave out.
  const options = ['--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  // The Node in node_modules was just deleted, so it must not be used.
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const env = { ...process.env, PATH: path.join(delimiter) }
  const npm = spawn('npm', ['install', ...options], { cwd: root, env, stdio: ['ignore', 2, 2] })
  // If we are killed, npm continues, and the next run waits for it.
  writeFileSync(installing, `${process.pid} ${npm.pid}`)
  const outcome = await finish(npm)
  if (outcome !== 0) throw new Error(`npm install failed (${outcome}); its own words are above. Nothing was started.`)
  const version = await finish(spawn(ownNode, ['--version'], { stdio: 'ignore' }))
  if (version !== 0) {
    const cause = 'packages may not run their install scripts here (npm config get ignore-scripts)'
    throw new Error(`npm install left no working Node in node_modules: ${cause}.`)
  }
  writeFileSync(stamp, fingerprint())
  say('Installed.\n')
}

function finish(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((done) => {
    child.once('error', (error) => done(error.message))
    child.once('exit', (code, signal) => done(code ?? signal))
  })
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function say(line) {
  process.stderr.write(`${line}\n`)
}
