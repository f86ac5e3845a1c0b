import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const FOLDER = import.meta.dirname
const DIST = join(FOLDER, 'dist')
const STAMP = join(DIST, '.built')
const SOURCES = [
  '{src,public}/**/*.*',
  'index.html',
  'build.ts',
  'vite.config.ts',
  'package.json',
  '../package-lock.json',
]

/** Whether the panel in `dist` is built of these sources. Needs none of the packages that build it. */
export async function isPanelBuilt(): Promise<boolean> {
  return (await readFile(STAMP, 'utf8').catch(() => '')) === (await fingerprint(FOLDER, SOURCES))
}

/** Builds the panel into `dist`, unless it was built of the same sources already. Takes some seconds. */
export async function buildPanel(): Promise<void> {
  if (await isPanelBuilt()) return
  const expected = await fingerprint(FOLDER, SOURCES)
  const { build } = await import('vite')
  await inProduction(() => build({ root: FOLDER, configFile: join(FOLDER, 'vite.config.ts'), logLevel: 'warn' }))
  await compress()
  await writeFile(STAMP, expected)
}

/** Each file also compressed, so that no process does it when it starts. */
async function compress(): Promise<void> {
  const files = await Array.fromAsync(glob('**/*.{html,js,css,svg}', { cwd: DIST }))
  await Promise.all(files.map((file) => compressFile(join(DIST, file))))
}

async function compressFile(path: string): Promise<void> {
  await writeFile(`${path}.gz`, await promisify(gzip)(await readFile(path)))
}

/** Does something as in production: elsewhere, as in a test, the libraries would be built with their checks. */
async function inProduction(what: () => Promise<unknown>): Promise<void> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    await what()
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

/** One text for the names and contents of these files. */
export async function fingerprint(folder: string, patterns: string[]): Promise<string> {
  const paths = await Array.fromAsync(glob(patterns, { cwd: folder }))
  const hash = createHash('sha256')
  for (const path of paths.filter((one) => !one.endsWith('.test.ts')).toSorted())
    hash.update(`${path}\n`).update(await readFile(join(folder, path)))
  return hash.digest('hex')
}

if (import.meta.main) await buildPanel()
