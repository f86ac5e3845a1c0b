import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { deepLink, ownSchemes, SCREENS } from './deep-links.ts'

describe('Deep links', () => {
  test('have the first scheme that is the app’s own', () => {
    const LINK_SCHEMES = ['https', 'swapbell', 'swapbell-beta']
    expect(deepLink({ LINK_SCHEMES }, { screen: 'swap', id: 7 })).toBe('swapbell://swaps/7')
    expect(deepLink({ LINK_SCHEMES }, { screen: 'matches' })).toBe('swapbell://matches')
    expect(ownSchemes(LINK_SCHEMES)).toEqual(['swapbell', 'swapbell-beta'])
  })

  test('are in docs/deep-links.md, each screen with its path, and no others', async () => {
    const page = await readFile(new URL('../../../../docs/deep-links.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, path]) => path)
    expect(rows).toEqual(Object.values(SCREENS))
  })
})
