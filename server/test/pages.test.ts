import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PATH = /`((?:server|simulator|scripts|tools|local-postgres|docs)\/[^`\s(:]*)/g

const read = async (file: string) => readFile(join(ROOT, file), 'utf8')

/** The anchor that GitHub gives a heading. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

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

test('docs/operations.md quotes the log lines as the code writes them', async () => {
  const page = await read('docs/operations.md')
  const table = /Set an alert for these lines:\n\n([^]*?)\n\n/.exec(page)?.[1] ?? ''
  const rows = table.split('\n').slice(2)
  const quoted = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  )
  expect(quoted.length).toBeGreaterThan(10)

  let code = ''
  for await (const file of glob('server/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }))
    code += await read(file)
  // An ellipsis stands for what the code fills in.
  const missing = quoted.filter((text) => !text.split('…').every((part) => code.includes(part)))
  expect(missing).toEqual([])
})

test('what is for production calls `manage` itself: npm would install there what a trial needs', async () => {
  const texts = ['*.md', 'docs/**/*.md', 'deploy/**/*', 'server/src/**/*.ts', 'panel/src/**/*']
  const found: string[] = []
  for await (const file of glob(texts, { cwd: ROOT, exclude: ['CHANGELOG.md', 'CONTRIBUTING.md'] }))
    if (/\.\w+$/.test(file) && (await read(file)).includes('npm run manage')) found.push(file)
  expect(found).toEqual(['docs/benchmarks.md', 'docs/operations.md'])
})

test('links between pages lead to files and headings that exist', async () => {
  const broken: string[] = []
  let count = 0
  for await (const file of glob('{*,docs/**/*,client/*,simulator/*}.md', { cwd: ROOT })) {
    for (const [, path = '', anchor] of (await read(file)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      count += 1
      const target = path === '' ? file : join(dirname(file), path)
      const exists = existsSync(join(ROOT, target))
      const headings = exists && anchor !== undefined ? (await read(target)).matchAll(/^#+ (.*)$/gm) : []
      const hasAnchor = anchor === undefined || [...headings].some(([, heading = '']) => toAnchor(heading) === anchor)
      if (!exists || !hasAnchor) broken.push(`${file}: ${path}#${anchor ?? ''}`)
    }
  }
  expect(count).toBeGreaterThan(100)
  expect(broken).toEqual([])
})

test('the glossary has at most sixty words, and the code uses the name of each', async () => {
  const page = await read('docs/adr/000-language.md')
  const entries = page.matchAll(/^- \*\*([\w ]+)\*\*(?: \(`(\w+)`\))?: /gm)
  const words = Array.from(entries, ([, word = '', name = word]) => ({ word, name }))
  expect(words.length).toBeGreaterThan(40)
  expect(words.length).toBeLessThanOrEqual(60)
  expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)

  const used = new Set<string>()
  for await (const file of glob('server/{src/**/*.ts,migrations/*.sql}', { cwd: ROOT, exclude: ['**/*.test.ts'] }))
    for (const [name] of (await read(file)).matchAll(/\w+/g)) used.add(name)
  expect(words.filter(({ name }) => !used.has(name))).toEqual([])
})

test('docs/threats.md names a test that exists for each threat', async () => {
  const rows = (await read('docs/threats.md')).split('\n').filter((line) => /^\| [A-Z/]/.test(line))
  const threats = rows.filter((row) => !row.startsWith('| Threat '))
  expect(threats.length).toBeGreaterThan(40)

  const missing: string[] = []
  for (const threat of threats)
    for (const proof of threat.split('|')[3]?.trim().split('; `') ?? []) {
      const [file = '', name = ''] = proof.replace(/^`/, '').split('` ')
      const code = existsSync(join(ROOT, file)) ? await read(file) : ''
      if (!/^“.+”$/.test(name) || !code.includes(name.slice(1, -1))) missing.push(proof)
    }
  expect(missing).toEqual([])
})

test('every reference to a decision record leads to one', async () => {
  const records = await Array.fromAsync(glob('docs/adr/*.md', { cwd: ROOT }))
  const numbers = new Set(await Promise.all(records.map(async (file) => /^# (\d+) /.exec(await read(file))?.[1])))
  const wrong: string[] = []
  let count = 0
  const sources = ['{server,tools,simulator,scripts,local-postgres,client,panel}/**/*.{ts,tsx,sql}', '{*,docs/**/*}.md']
  for await (const file of glob(sources, { cwd: ROOT, exclude: ['**/node_modules', '**/dist'] }))
    for (const [text, number] of (await read(file)).matchAll(/\bADR[\s*/-]+(\d+)/g)) {
      count += 1
      if (!numbers.has(number)) wrong.push(`${file}: ${text}`)
    }
  expect(count).toBeGreaterThan(200)
  expect(wrong).toEqual([])
})
