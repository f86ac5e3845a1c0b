import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

type Lockfile = { packages: Record<string, { dependencies?: Record<string, string> }> }

/** The packages that a workspace runs with, as paths of the lockfile: what `npm ci --omit=dev --workspace` installs. */
export async function productionPackages(workspace: string): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile
  const found = new Set<string>()
  const visit = (path: string): void => {
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const resolved = candidatesOf(path, name).find((candidate) => candidate in packages)
      if (resolved === undefined || found.has(resolved)) continue
      found.add(resolved)
      visit(resolved)
    }
  }
  visit(workspace)
  return [...found].toSorted()
}

/** Where Node looks for a package, nearest first. */
function candidatesOf(path: string, name: string): string[] {
  const parts = path.split('/node_modules/')
  const nested = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/node_modules/`)
  return [...nested, 'node_modules/'].map((folder) => `${folder}${name}`)
}

/** Puts into `folder` what the image has: the server, its packages, and nothing of its development. */
export async function layProductionTree(folder: string): Promise<void> {
  for (const path of await productionPackages('server')) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    if (!path.slice('node_modules/'.length).includes('node_modules/'))
      await symlink(join(ROOT, path), join(folder, path))
  }
  for (const path of ['package.json', 'server/package.json', 'server/migrations', 'server/src', 'deploy'])
    await cp(join(ROOT, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.test.ts') })
}
