import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PATH = /`((?:server|simulator|scripts|tools|local-postgres|docs)\/[^`\s(:]*)/g

test('every path that a page names exists', async () => {
  const pages = await Array.fromAsync(glob('{*.md,docs/**/*.md}', { cwd: ROOT }))
  const missing: string[] = []
  let named = 0
  for (const page of pages) {
    for (const [, path = ''] of (await readFile(join(ROOT, page), 'utf8')).matchAll(PATH)) {
      named++
      const found = await Array.fromAsync(glob(path, { cwd: ROOT }))
      if (found.length === 0) missing.push(`${page}: ${path}`)
    }
  }
  expect(named).toBeGreaterThan(50)
  expect(missing).toEqual([])
})
