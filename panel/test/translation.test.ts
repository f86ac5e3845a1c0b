import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { REASONS } from '../../server/src/administration/cases/verification.ts'
import * as listed from '../../server/src/platform/shared/words.ts'
import words from '../src/translation/es-words.json' with { type: 'json' }
import texts from '../src/translation/es.json' with { type: 'json' }

const SOURCES = join(import.meta.dirname, '../src')
const SERVER = join(import.meta.dirname, '../../server/src')

// The panel has labels of its own for these.
const LABELLED = new Set(['PLATFORMS', 'EXPORT_FORMATS', 'USER_REPORT_REASONS'])

type Node = { type: string; callee?: Node; name?: string; value?: unknown; arguments?: Node[]; elements?: Node[] }

/** All calls of a function by name in a source file, with their arguments. */
function callsIn(node: unknown, visit: (name: string, given: Node[]) => void): void {
  if (Array.isArray(node)) return node.forEach((child) => callsIn(child, visit))
  if (typeof node !== 'object' || node === null) return
  const { type, callee, arguments: given } = node as Node
  if (type === 'CallExpression' && callee?.type === 'Identifier') visit(callee.name ?? '', given ?? [])
  for (const child of Object.values(node)) callsIn(child, visit)
}

/** The texts that the sources translate, and the words of the API that they offer as filters. */
async function textsOfSources(): Promise<{ texts: Set<string>; words: Set<string> }> {
  const found = { texts: new Set<string>(), words: new Set<string>() }
  for await (const path of glob('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['api/schema.ts'] })) {
    const { program } = parseSync(path, await readFile(join(SOURCES, path), 'utf8'))
    callsIn(program, (name, given) => {
      const key = { t: given[0], rich: given[0], plural: given[2] }[name]
      if (key !== undefined && path !== 'translation/translate.ts') found.texts.add(readWord(key, path))
      if (name === 'toOptions')
        for (const code of given[0]?.elements ?? []) found.words.add(readWord(code, path).replaceAll('_', ' '))
    })
  }
  return found
}

function readWord({ value }: Node, path: string): string {
  expect(typeof value, `a text to translate in ${path} is written out`).toBe('string')
  return String(value)
}

function namesIn(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g))].toSorted()
}

describe('Spanish', () => {
  test('has every text of the panel and no other', async () => {
    const { texts: wanted } = await textsOfSources()
    expect(wanted.size).toBeGreaterThan(400)
    expect([...wanted].filter((text) => !(text in texts))).toEqual([])
    expect(Object.keys(texts).filter((text) => !wanted.has(text))).toEqual([])
  })

  test('has every word of the API that a filter offers', async () => {
    const { words: wanted } = await textsOfSources()
    expect(wanted.size).toBeGreaterThan(40)
    expect([...wanted].filter((word) => !(word in words))).toEqual([])
  })

  test('has every state that a record can have, and every reason that the service gives for a change', async () => {
    const wanted = Object.entries(listed).flatMap(([name, codes]): string[] => (LABELLED.has(name) ? [] : [...codes]))
    wanted.push(...listed.SWAP_SIDES.map((side) => `by_${side}`), ...listed.BARRED.map((status) => `user_${status}`))
    wanted.push(...REASONS, 'swap_completed', ...listed.DISPUTE_RESOLUTIONS.map((status) => `swap_${status}`))
    for await (const path of glob('{administration,marketplace}/**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts'] }))
      for (const [, code = ''] of (await readFile(join(SERVER, path), 'utf8')).matchAll(/\b(?:reason|note): '(\w+)'/g))
        wanted.push(code)
    expect(wanted.length).toBeGreaterThan(90)
    expect(wanted.map((code) => code.replaceAll('_', ' ')).filter((word) => !(word in words))).toEqual([])
  })

  test('has every word of what the audit log names', async () => {
    const wanted = new Set<string>()
    for await (const path of glob('**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts'] }))
      for (const [, action = ''] of (await readFile(join(SERVER, path), 'utf8')).matchAll(/\baction: '([a-z_.-]+)'/g))
        for (const part of action.split('.')) wanted.add(part.replaceAll(/[-_]/g, ' '))
    expect(wanted.size).toBeGreaterThan(40)
    expect([...wanted].filter((word) => !(word in words))).toEqual([])
  })

  test('says usted everywhere', () => {
    const familiar = /\b(?:te|tu|tus|has|inténtalo|comprueba|inicias)\b/i
    expect(Object.values(texts).filter((text) => familiar.test(JSON.stringify(text)))).toEqual([])
  })

  test('keeps the values that a text shows', () => {
    for (const [english, spanish] of Object.entries(texts)) {
      const { other, ...forms } = typeof spanish === 'string' ? { other: spanish } : spanish
      expect({ english, names: namesIn(other) }).toEqual({ english, names: namesIn(english) })
      for (const text of Object.values(forms)) expect(namesIn(english)).toEqual(expect.arrayContaining(namesIn(text)))
    }
  })
})
