import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const FOLDER = import.meta.dirname
const STAMP = join(FOLDER, 'dist', '.built')
const SOURCES = ['{src,public}/**/*.*', 'index.html', 'vite.config.ts', 'package.json']

/** Builds the panel into `dist`, unless it was built of the same sources already. Takes some seconds. */
export async function buildPanel(): Promise<void> {
  const wanted = await fingerprint()
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === wanted) return
  await build({ root: FOLDER, configFile: join(FOLDER, 'vite.config.ts'), logLevel: 'warn' })
  await writeFile(STAMP, wanted)
}

async function fingerprint(): Promise<string> {
  const paths = await Array.fromAsync(glob(SOURCES, { cwd: FOLDER }))
  const hash = createHash('sha256')
  for (const path of [...paths.toSorted(), '../package-lock.json'])
    hash.update(`${path}\n`).update(await readFile(join(FOLDER, path)))
  return hash.digest('hex')
}

if (import.meta.main) await buildPanel()
