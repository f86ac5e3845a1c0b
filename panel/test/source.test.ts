import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '../src')
const FILES = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).map((name) => ({
  name,
  text: readFileSync(join(SOURCE, name), 'utf8'),
}))

function filesWith(pattern: RegExp): string[] {
  return FILES.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
}

// Choices and hints, which are left out while nothing is known; the preview, whose errors belong to fields; the desks.
const WITHOUT_A_STATE = [
  'account/show-factor.tsx',
  'administrators/change-role.tsx',
  'approvals/approvals.tsx',
  'cases/decisions.tsx',
  'cases/desk.tsx',
  'cases/lease.tsx',
  'cases/reported-card.tsx',
  'catalogue/categories.tsx',
  'common/narrowed-to.tsx',
  'common/user-picker.tsx',
  'delivery/held.tsx',
  'notifications/preview.ts',
  'shell/menu.tsx',
  'shell/palette.tsx',
  'swaps/swaps.tsx',
]

describe('the source of the panel', () => {
  test('leads to its own pages without loading the panel anew', () => {
    const plain = /href=(?:"\/|\{`\/|\{(?:to|address|href)\})/
    // What the links are made of, and the wall of phones, which is another site.
    expect(filesWith(plain).toSorted()).toEqual(['common/page-link.tsx', 'shell/wall-link.tsx'])
  })

  test('tells the compiler of each call what it sends', () => {
    expect(filesWith(/\bas never\b/)).toEqual([])
  })

  test('shows what a query has answered by the component that says when it is not known', () => {
    const asking = filesWith(/\buse(Infinite)?Query\(/)
    expect(asking.length).toBeGreaterThan(20)
    const shown = filesWith(/<Loaded\b/)
    expect(asking.filter((name) => !shown.includes(name)).toSorted()).toEqual(WITHOUT_A_STATE)
  })
})
