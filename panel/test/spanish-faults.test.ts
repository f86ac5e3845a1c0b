import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { toSentence } from '../../server/src/platform/http/fault-sentences.ts'
import { faultOfText, type TextLayout } from '../../server/src/platform/shared/plain-text.ts'
import { SETTINGS } from '../../server/src/platform/config/settings.ts'
import settings from '../src/translation/es-settings.json' with { type: 'json' }
import { faultInSpanish } from '../src/translation/faults.ts'

const SERVER = join(import.meta.dirname, '../../server/src')

type Node = {
  type: string
  name?: string
  value?: unknown
  key?: Node
  callee?: Node & { property?: Node }
  arguments?: Node[]
  elements?: (Node | null)[]
  quasis?: { value: { cooked: string } }[]
  id?: Node
  init?: Node | null
}

/** A sentence as it may be said: its first value is a word, as in "day allows …", or else a number. */
function sentenceIn({ type, value, quasis = [] }: Node): string | undefined {
  if (type === 'Literal' && typeof value === 'string') return value
  if (type !== 'TemplateLiteral') return undefined
  const texts = quasis.map((part) => part.value.cooked)
  return texts[0] === '' ? `day${texts.slice(1).join('7')}` : texts.join('7')
}

/** What the sources of the service say of refused fields: in calls of `validation`, in `x-fault`, and in constants. */
async function faultsInSources(): Promise<Set<string>> {
  const found = new Set<string>()
  const add = (node: Node | null | undefined) => {
    const sentence = node && sentenceIn(node)
    if (sentence) found.add(sentence)
  }
  const visit = (node: unknown, isFault: boolean): void => {
    if (Array.isArray(node)) return node.forEach((child) => visit(child, isFault))
    if (typeof node !== 'object' || node === null) return
    const { type, key, callee, elements, id, init, value } = node as Node
    const isIn = isFault || (type === 'CallExpression' && callee?.property?.name === 'validation')
    if (isIn && type === 'ArrayExpression') elements?.forEach(add)
    if (type === 'Property' && key?.value === 'x-fault') add(value as Node)
    if (type === 'VariableDeclarator' && /^(?:NO|WRONG)_/.test(id?.name ?? '')) visit(init, true)
    if (type === 'VariableDeclarator' && /^NO_(?:ZONE|MOMENT|CURSOR)$/.test(id?.name ?? '')) add(init)
    for (const child of Object.values(node)) visit(child, isIn)
  }
  for await (const path of glob('**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts'] }))
    visit(parseSync(path, await readFile(join(SERVER, path), 'utf8')).program, false)
  return found
}

/** Which argument of these calls, or of a new AppError, says why the whole call is refused. */
const REASONS = new Map([
  ['conflict', 0],
  ['invalidState', 0],
  ['duplicate', 1],
  ['notFound', 0],
  ['existing', 1],
])

// Of the other codes the panel shows its own sentence alone (`panel/src/api/messages.ts`).
const SHOWN = ['SECOND_FACTOR_REQUIRED', 'FORBIDDEN', 'DUPLICATE', 'SERVICE_UNAVAILABLE']

async function reasonsInSources(): Promise<Set<string>> {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, callee, arguments: given = [] } = node as Node
    const name = callee?.property?.name ?? callee?.name ?? ''
    const isShown = SHOWN.some((code) => code === given[0]?.value)
    const place = type === 'NewExpression' && isShown ? 1 : type === 'CallExpression' ? REASONS.get(name) : undefined
    const reason = place === undefined ? undefined : given[place] && sentenceIn(given[place])
    if (reason) found.add(['notFound', 'existing'].includes(name) ? `${reason} does not exist.` : reason)
    for (const child of Object.values(node)) visit(child)
  }
  for await (const path of glob('**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts', '**/operator/**'] }))
    visit(parseSync(path, await readFile(join(SERVER, path), 'utf8')).program)
  return found
}

const FAULTS_OF_SCHEMAS: [keyword: string, params: object][] = [
  ['required', {}],
  ['additionalProperties', {}],
  ...['string', 'integer', 'number', 'boolean', 'array', 'object', ['string', 'null'], ['integer', 'null']].map(
    (type): [string, object] => ['type', { type }],
  ),
  ['enum', { allowedValues: ['asc', 'desc'] }],
  ['const', { allowedValue: true }],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'].flatMap((keyword): [string, object][] => [
    [keyword, { limit: 1 }],
    [keyword, { limit: 7 }],
  ]),
  ['uniqueItems', {}],
  ['minProperties', { limit: 1 }],
  ['maxProperties', { limit: 7 }],
  ['minimum', { limit: 7 }],
  ['maximum', { limit: 7 }],
  ...['email', 'uri', 'date', 'date-time', 'other'].map((format): [string, object] => ['format', { format }]),
  ['pattern', {}],
  ['anyOf', {}],
  ['not known', {}],
]

describe('A fault of the API in Spanish', () => {
  test('is there for everything that the sources of the service say', async () => {
    const faults = [...(await faultsInSources())]
    expect(faults.length).toBeGreaterThan(60)
    expect(faults.filter((fault) => faultInSpanish(fault) === fault)).toEqual([])
  })

  test('is there for every reason why a call cannot be carried out', async () => {
    const reasons = [...(await reasonsInSources())]
    expect(reasons.length).toBeGreaterThan(80)
    expect(reasons.filter((reason) => faultInSpanish(reason) === reason)).toEqual([])
  })

  test('is there for every rule of a schema', () => {
    const faults = FAULTS_OF_SCHEMAS.map(([keyword, params]) =>
      toSentence({ keyword, params } as Parameters<typeof toSentence>[0]),
    )
    expect(faults.filter((fault) => faultInSpanish(fault) === fault)).toEqual([])
  })

  test('is there for every rule of a text', () => {
    const layouts: TextLayout[] = ['line', 'lines', 'pasted']
    const faults = layouts.flatMap((layout) =>
      [' ', '\u200B', 'a\u0007', 'a\u202E'].map((text) => faultOfText(text, layout)),
    )
    const said = faults.filter((fault) => fault !== undefined)
    expect(new Set(said).size).toBe(6)
    expect(said.filter((fault) => faultInSpanish(fault) === fault)).toEqual([])
  })

  test('has the value of the fault; what is not known stays in English', () => {
    expect(faultInSpanish('must have at most 500 characters')).toBe('debe tener 500 caracteres como máximo')
    expect(faultInSpanish('must be one of: asc, desc')).toBe('debe ser uno de estos: asc, desc')
    expect(faultInSpanish('must have at least 12 characters for an administrator')).toContain('un administrador')
    expect(faultInSpanish('Product 7 is swapped and cannot become active.')).toBe(
      'El producto 7 está en el estado swapped y no puede pasar a active.',
    )
    expect(faultInSpanish('must be blue')).toBe('must be blue')
  })
})

test('The page of the settings has a Spanish text for each setting, beside the English one of the service', () => {
  const named = Object.entries(SETTINGS)
  expect(Object.keys(settings).toSorted()).toEqual(named.map(([name]) => name).toSorted())
  const spanish: Readonly<Record<string, string>> = settings
  const english = Object.fromEntries(named.map(([name, { doc }]) => [name, doc]))
  expect(Object.values({ ...english, ...spanish }).filter((text) => text.trim() === '')).toEqual([])
  expect(Object.keys(english).filter((name) => spanish[name] === english[name])).toEqual([])
})
