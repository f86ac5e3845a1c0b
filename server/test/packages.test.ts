import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

test('docs/packages.md has a reason for each package of the server in production, of which there are at most 34', () => {
  const text = readFileSync(new URL('../../docs/packages.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)]
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(manifest.dependencies))
  expect(rows.filter(([, , reason = '']) => !reason.endsWith('.'))).toEqual([])
  expect(rows.length).toBeLessThanOrEqual(34)
})
