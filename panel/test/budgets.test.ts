import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

const BUILT = join(import.meta.dirname, '../dist')
const KB = 1_024

type Manifest = Record<string, { file: string; imports?: string[] }>

/** The scripts that a browser loads for some entries, with all that they import, and their sizes as they are sent. */
async function listScripts(entries: string[]): Promise<Map<string, number>> {
  const manifest = JSON.parse(await readFile(join(BUILT, '.vite/manifest.json'), 'utf8')) as Manifest
  const files = new Map<string, number>()
  const add = async (key: string): Promise<void> => {
    const { file, imports = [] } = manifest[key] ?? expect.unreachable(`${key} is built`)
    if (files.has(file)) return
    files.set(file, gzipSync(await readFile(join(BUILT, file))).length)
    for (const imported of imports) await add(imported)
  }
  for (const entry of entries) await add(entry)
  return files
}

function sum(files: Map<string, number>): number {
  return [...files.values()].reduce((total, size) => total + size, 0)
}

describe('The scripts of the panel', () => {
  test('take at most 120 KB for the sign-in page, gzipped', async () => {
    const size = sum(await listScripts(['index.html', 'src/sign-in/draw.tsx']))
    expect(size).toBeGreaterThan(20 * KB)
    expect(size).toBeLessThanOrEqual(120 * KB)
  })

  test('take at most 250 KB for the first list, without the charts', async () => {
    const files = await listScripts(['index.html', 'src/app.tsx', 'src/shell/shell.tsx', 'src/users/users.tsx'])
    expect(sum(files)).toBeLessThanOrEqual(250 * KB)
    const charts = await listScripts(['src/insights/insights.tsx'])
    const own = [...charts].filter(([file]) => !files.has(file))
    expect(own.some(([, size]) => size > 80 * KB)).toBe(true)
  })
})
