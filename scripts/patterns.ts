import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFaults, type Built } from './check-patterns.ts'
import { patternsIn } from './find-patterns.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = '{server/src,simulator/src,scripts}/**/*.{ts,js,mjs}'

const BUILT: Built = {
  'server/src/platform/http/route-table.ts':
    'Fixed text and `[^/]+` out of the addresses of our routes: each part ends at a slash.',
}

const paths = (await Array.fromAsync(glob(SOURCES, { cwd: ROOT }))).filter((path) => !path.endsWith('.test.ts'))
const patterns = (
  await Promise.all(paths.map(async (path) => patternsIn(path, await readFile(join(ROOT, path), 'utf8'))))
).flat()
const faults = findFaults(patterns, BUILT)
process.stdout.write(faults.map((fault) => `${fault}\n`).join(''))
process.stdout.write(`${patterns.length} patterns in ${paths.length} files, ${faults.length} faults.\n`)
process.exit(faults.length === 0 && patterns.length > 0 ? 0 : 1)
