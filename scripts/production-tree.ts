import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPackages } from './packages.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The packages that a workspace runs with, as paths of the lockfile: what `npm ci --omit=dev --workspace` installs. */
export async function productionPackages(workspace: string): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>
  }
  return listPackages(packages, [workspace]).toSorted()
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
