/**
 * What `npm install` must know of packages: the entries of a lockfile by their path, such as node_modules/pg.
 *
 * @typedef {Record<string, any>} Packages
 */

// All packages of a part are given: what they need of others is not for npm to judge.
const KEPT = ['name', 'version', 'integrity', 'bin', 'os', 'cpu', 'libc', 'engines', 'optional', 'hasInstallScript']

/**
 * The paths of the packages that the given workspaces and packages run with, also those for other platforms.
 *
 * @param {Packages} packages
 * @param {string[]} from Paths: `server`, `node_modules/node`. Themselves are included unless they are workspaces.
 * @param {'dependencies' | 'devDependencies'} [kind] Of the workspaces.
 */
export function listPackages(packages, from, kind = 'dependencies') {
  const given = from.filter((path) => path.startsWith('node_modules/'))
  const found = new Set(given)
  const visit = (path, names) => {
    for (const name of names) {
      const resolved = resolve(packages, path, name)
      if (resolved === undefined || packages[resolved].link || found.has(resolved)) continue
      found.add(resolved)
      visit(resolved, neededBy(packages[resolved]))
    }
  }
  for (const path of from) visit(path, Object.keys(packages[path]?.[kind] ?? {}))
  for (const path of given) visit(path, neededBy(packages[path]))
  return [...found]
}

/**
 * A manifest and a lockfile by which npm installs exactly the packages of `paths`, all below `base` (`` or `panel/`).
 * Each names the address of its file at `registry`: without it npm first asks for all versions of each package, which
 * takes longer than the rest.
 *
 * @param {Packages} packages
 * @param {{ paths: string[]; base: string; registry: string }} part
 */
export function selectPart(packages, { paths, base, registry }) {
  const chosen = new Set(paths)
  const entries = {}
  const manifest = { name: 'part', version: '1.0.0', private: true, dependencies: {}, optionalDependencies: {} }
  for (const path of paths) {
    const { dependencies, optionalDependencies, ...locked } = packages[path]
    const entry = Object.fromEntries(KEPT.filter((field) => field in locked).map((field) => [field, locked[field]]))
    const within = (names = {}) =>
      Object.fromEntries(Object.entries(names).filter(([name]) => chosen.has(resolve(packages, path, name) ?? '')))
    const own = toName(path)
    const file = `${entry.name ?? own}/-/${(entry.name ?? own).split('/').at(-1)}-${entry.version}.tgz`
    entries[path.slice(base.length)] = {
      ...entry,
      ...(entry.integrity && { resolved: new URL(file, registry).href }),
      dependencies: within(dependencies),
      optionalDependencies: within(optionalDependencies),
    }
    if (path === `${base}node_modules/${own}`)
      manifest[entry.optional ? 'optionalDependencies' : 'dependencies'][own] = entry.version
  }
  const root = { name: manifest.name, version: manifest.version, lockfileVersion: 3, requires: true }
  return { manifest, lockfile: { ...root, packages: { '': manifest, ...entries } } }
}

function neededBy({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** Finds a package as Node does, nearest first. */
function resolve(packages, path, name) {
  const parts = path.split('/node_modules/')
  const nested = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/node_modules/`)
  return [...nested, 'node_modules/'].map((folder) => `${folder}${name}`).find((candidate) => candidate in packages)
}

function toName(path) {
  return path.split('node_modules/').at(-1)
}
