import { spawn, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { awaitExit, read } from './install-process.mjs'
import { selectPart } from './packages.mjs'

const OPTIONS = ['install', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * Installs everything with the versions of the lockfile; gives the seconds that it took. `npm ci` refuses a lockfile
 * that lacks variants of a package for other platforms, and some registries do not have them all. `--no-save` keeps the
 * lockfile unchanged.
 */
export async function installAll(root, started) {
  const ownNode = join(root, 'node_modules', '.bin', 'node')
  // npm would not replace a link to the Node of the system.
  if (lstatSync(ownNode, { throwIfNoEntry: false })) rmSync(ownNode)
  // The checks and Node itself are development dependencies, which NODE_ENV=production would leave out.
  const seconds = await npm(root, ['--no-save', '--include=dev'], started)
  const version = await awaitExit(spawn(ownNode, ['--version'], { stdio: 'ignore' }))
  if (version === 0) return seconds
  const cause = 'packages may not run their install scripts here (npm config get ignore-scripts)'
  throw new Error(`npm install left no working Node in node_modules: ${cause}.`)
}

/**
 * Installs the packages of `paths` in a folder of their own, moves them to their places, and gives the seconds. What an
 * interrupted run left of the folder or in the places goes first.
 */
export async function installPart(root, { name, packages, paths }, started) {
  const from = Date.now()
  const registry = findRegistry(root)
  for (const base of new Set(paths.map((path) => path.slice(0, path.indexOf('node_modules/'))))) {
    const folder = join(root, 'node_modules', '.parts', `${name} ${base.replace('/', '')}`.trim().replaceAll(' ', '-'))
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const own = paths.filter((path) => path.startsWith(`${base}node_modules/`))
    const { manifest, lockfile } = selectPart(packages, { paths: own, base, registry })
    const { allowScripts } = JSON.parse(read(join(root, 'package.json')))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, allowScripts }))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile))
    await npm(folder, ['--omit=dev', '--prefer-offline'], started)
    movePackages(join(folder, 'node_modules'), join(root, base, 'node_modules'))
    rmSync(folder, { recursive: true })
  }
  return ((Date.now() - from) / 1_000).toFixed(1)
}

/** If the Node of the system is as new as we need, node_modules/.bin/node is a link to it; gives whether it is. */
export function linkOwnNode(root) {
  const [major = 0, minor = 0] = JSON.parse(read(join(root, 'package.json')))
    .engines.node.match(/\d+/g)
    .map(Number)
  const { stdout } = spawnSync('node', ['-p', '[process.execPath, process.versions.node].join()'], {
    env: environment(),
    encoding: 'utf8',
  })
  const [program, version = ''] = (stdout ?? '').trim().split(',')
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number)
  if (ownMajor < major || (ownMajor === major && ownMinor < minor)) return false
  const bin = join(root, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  rmSync(join(bin, 'node'), { force: true })
  symlinkSync(program, join(bin, 'node'))
  return true
}

function findRegistry(root) {
  const answer = spawnSync('npm', ['config', 'get', 'registry'], { cwd: root, env: environment(), encoding: 'utf8' })
  const address = process.env.npm_config_registry ?? answer.stdout.trim()
  return address.endsWith('/') ? address : `${address}/`
}

async function npm(folder, options, started) {
  const from = Date.now()
  const child = spawn('npm', [...OPTIONS, ...options], { cwd: folder, env: environment(), stdio: ['ignore', 2, 2] })
  started(child)
  const outcome = await awaitExit(child)
  if (outcome === 0) return ((Date.now() - from) / 1_000).toFixed(1)
  const error = new Error(`npm install failed (${outcome}); its own words are above. Nothing was started.`)
  // Ended by a signal, or never started: another try is not wanted, or would not help.
  error.isFinal = typeof outcome === 'string'
  throw error
}

/** Without the Node of node_modules, which may be deleted. */
function environment() {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...process.env, PATH: path.join(delimiter) }
}

function movePackages(from, to) {
  if (!existsSync(from)) return
  for (const name of readdirSync(from)) {
    if (name === '.package-lock.json') continue
    if (name.startsWith('@') || name === '.bin') movePackages(join(from, name), join(to, name))
    else {
      rmSync(join(to, name), { recursive: true, force: true })
      mkdirSync(to, { recursive: true })
      renameSync(join(from, name), join(to, name))
    }
  }
}
