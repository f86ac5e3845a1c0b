import { glob, readFile } from 'node:fs/promises'
import { posix } from 'node:path'

/** Source text by its path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>

/** What a check of the house saw, and each fault as `rule: path …`. */
export type Survey = { files: number; edges: number; tables: number; faults: string[] }

type Import = { from: string; to: string; isType: boolean }
type File = { path: string; text: string; imports: Import[] }

/** Every rule of the house, in the order in which `surveyOf` applies them. */
export const RULES = [
  'layers',
  'packages',
  'features',
  'entries',
  'halves',
  'environment',
  'writers',
  'default export',
  'barrel',
  'any',
  'class',
  'module state',
  'length',
  'name',
] as const
type Rule = (typeof RULES)[number]

const LINES_MAX = 250

const OURS = '{server/{src,test,bench,torture},simulator/{src,test},scripts}/**/*.ts'
// It is made of planted faults.
const PLANTED = 'server/test/architecture.test.ts'

/** All our TypeScript, read from disk. */
export async function readSources(root: string): Promise<Sources> {
  const paths = await Array.fromAsync(glob(OURS, { cwd: root, exclude: [PLANTED] }))
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(posix.join(root, path), 'utf8')] as const)),
  )
}

/** Holds every rule against the sources. */
export function surveyOf(sources: Sources): Survey {
  const files = [...sources].map(([path, text]): File => ({ path, text, imports: importsOf(path, text) }))
  const writers = writersOf(files)
  const faults = [
    ...files.flatMap((file) => file.imports).flatMap(faultsOfImport),
    ...files.flatMap(faultsOfText),
    ...[...writers].flatMap(([table, paths]) =>
      paths.length === 1 && isQueries(paths[0]!) ? [] : [fault('writers', table, `is written by ${paths.join(', ')}`)],
    ),
  ]
  return { files: files.length, edges: files.flatMap((file) => file.imports).length, tables: writers.size, faults }
}

function fault(rule: Rule, where: string, what: string): string {
  return `${rule}: ${where} ${what}`
}

const FROM = /^(?:import|export)\s+(?:(type)\s)?([^'"`;]*?)\s*(?:from\s+)?'([^']+)'/gm
const DYNAMIC = /\bimport\('([^']+)'\)/g

function importsOf(path: string, text: string): Import[] {
  const resolve = (to: string) => (to.startsWith('.') ? posix.join(posix.dirname(path), to) : to)
  const still = [...text.matchAll(FROM)].map(([, type, names = '', to = '']) => ({
    from: path,
    to: resolve(to),
    isType: type !== undefined || areTypes(names),
  }))
  const later = [...text.matchAll(DYNAMIC)].map(([, to = '']) => ({ from: path, to: resolve(to), isType: false }))
  return [...still, ...later]
}

function areTypes(names: string): boolean {
  const [, list] = /^\{(.*)\}$/s.exec(names) ?? []
  return list !== undefined && list.split(',').every((name) => /^\s*(?:type\s.*)?$/s.test(name))
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || !path.includes('/src/')
}

function isQueries(path: string): boolean {
  return path.endsWith('.queries.ts')
}

type Layer = 'routes' | 'queries' | 'domain' | 'http' | 'push' | 'jobs' | 'db' | 'shared' | 'config' | 'entry'

/** The layer of a file of the server, by its suffix and its folder. */
function layerOf(path: string): Layer {
  const [, folder = ''] = /^server\/src\/(\w+)\//.exec(path) ?? []
  if (isQueries(path)) return 'queries'
  if (/\.(?:routes|views)\.ts$/.test(path)) return 'routes'
  if (folder === 'features' || folder === 'demo') return 'domain'
  if (path === 'server/src/config.ts') return 'config'
  return folder === '' ? 'entry' : (folder as Layer)
}

const TRANSACTION = 'server/src/db/transaction.ts'

/** What each layer may import besides types, and besides what lies in its own folder. Entries put everything together. */
const MAY_IMPORT: Record<Layer, (to: string, layer: Layer) => boolean> = {
  // Readiness asks whether the schema is current.
  routes: (to, layer) => ['domain', 'http', 'shared', 'jobs'].includes(layer) || to === 'server/src/db/migrate.ts',
  queries: (_, layer) => layer === 'db' || layer === 'shared',
  domain: (to, layer) =>
    to === TRANSACTION || to === 'server/src/jobs/queue.ts' || ['domain', 'shared'].includes(layer) || isPush(to),
  // The one table of rights, which access goes by.
  http: (to, layer) =>
    to === TRANSACTION ||
    to === 'server/src/features/auth/permissions.ts' ||
    ['http', 'shared', 'config'].includes(layer),
  push: (to, layer) => to === TRANSACTION || layer === 'shared',
  jobs: (_, layer) => layer === 'db' || layer === 'shared',
  db: (_, layer) => layer === 'shared',
  shared: () => false,
  config: (_, layer) => layer === 'config',
  entry: () => true,
}

function isPush(path: string): boolean {
  return path.startsWith('server/src/push/')
}

/** Packages that only some files may use. */
const PACKAGES: [name: RegExp, where: RegExp][] = [
  [/^kysely$/, /\.queries\.ts$|^server\/src\/db\//],
  [/^pg$/, /^server\/src\/db\//],
  [/^pg-boss$/, /^server\/src\/jobs\//],
  [/^undici$/, /^server\/src\/push\//],
  [/^(?:fastify|@fastify\/.+)$/, /\.routes\.ts$|^server\/src\/http\/|^server\/src\/app\.ts$/],
  [/^(?:typebox|ajv|ajv-formats)$/, /\.(?:routes|views)\.ts$|^server\/src\/http\//],
]

function faultsOfImport({ from, to, isType }: Import): string[] {
  const isOfServer = from.startsWith('server/src/') && !isTest(from)
  const wrong: [Rule, boolean][] = [
    ['layers', isOfServer && !isType && to.startsWith('server/') && !mayImport(from, to)],
    ['packages', isOfServer && !isType && PACKAGES.some(([name, where]) => name.test(to) && !where.test(from))],
    ['features', /^server\/src\/(?:push|db|jobs|shared)\//.test(from) && !isTest(from) && to.includes('/features/')],
    ['entries', isOfServer && /\/src\/(?:app|main|manage|worker)\.ts$/.test(to) && layerOf(from) !== 'entry'],
    [
      'halves',
      (isOfServer && to.startsWith('simulator/')) || (from.startsWith('simulator/') && to.startsWith('server/')),
    ],
  ]
  return wrong.filter(([, isWrong]) => isWrong).map(([rule]) => fault(rule, from, `imports ${to}`))
}

function mayImport(from: string, to: string): boolean {
  const [importer, imported] = [layerOf(from), layerOf(to)]
  if (posix.dirname(from) !== posix.dirname(to)) return MAY_IMPORT[importer](to, imported)
  // Of one feature: routes, then domain, then queries, and never back.
  if (importer === 'queries') return imported === 'queries'
  return importer !== 'domain' || imported !== 'routes'
}

const TEXT_RULES: [rule: Rule, pattern: RegExp, where: RegExp][] = [
  ['environment', /\bprocess\.env\b/, /^server\/src\/(?!(?:config|main|manage)\.ts$)(?!.*\.test\.ts$)/],
  ['default export', /^export default\b|\bas default\b/m, /./],
  ['barrel', /^export\s[^'"`;=]*\sfrom '/m, /./],
  ['any', /(?::|<|\bas|\||=>)\s*any\b(?:[\])>;,=|&[]|$)/m, /./],
  ['class', /^\s*(?:export )?(?:abstract )?class (?!AppError\b)|=\s*class\b/m, /./],
  ['module state', /^(?:export )?(?:let|var)\s/m, /^(?!.*\.test\.ts$)/],
  ['name', /^/, /(?:^|\/)(?:utils?|helpers?|types|index)\.ts$|\/[^/]*[A-Z_][^/]*$/],
]

function faultsOfText({ path, text }: File): string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  const found = TEXT_RULES.filter(([, pattern, where]) => where.test(path) && pattern.test(code))
  const lines = text.split('\n').length - 1
  return [
    ...found.map(([rule, pattern]) => fault(rule, path, `has ${JSON.stringify(pattern.exec(code)?.[0].trim())}`)),
    ...(lines > LINES_MAX ? [fault('length', path, `has ${lines} lines`)] : []),
  ]
}

const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
  /\b(?:insert|merge)\s+into\s+(\w+)/gi,
  /\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\bdelete\s+from\s+(\w+)/gi,
  /\btruncate\s+(\w+)/gi,
]

/** The files that write each table. The demonstration data fill an empty database and count for none. */
function writersOf(files: File[]): Map<string, string[]> {
  const writers = new Map<string, string[]>()
  for (const { path, text } of files) {
    if (isTest(path) || !path.startsWith('server/src/') || /\/src\/(?:demo\/|db\/migrate\.ts)/.test(path)) continue
    const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    const tables = new Set(WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table = '']) => table)))
    for (const table of tables) writers.set(table, [...(writers.get(table) ?? []), path])
  }
  return writers
}
