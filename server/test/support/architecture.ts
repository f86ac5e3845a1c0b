import { glob, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import {
  circlesOfFiles,
  circlesOfRooms,
  faultsOfImport,
  listImports,
  isQueries,
  isSource,
  type Import,
} from './architecture-imports.ts'
import { listLongParameters } from './architecture-parameters.ts'
import { fault, type Rule } from './architecture-rules.ts'

/** Source text by its path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>

/** What a check of the architecture saw, and each fault as `rule: path …`. */
export type Survey = { files: number; edges: number; tables: number; faults: string[] }

type File = { path: string; text: string; imports: Import[] }

const LINES_MAX = 250
const LINES_OF_ROUTES_MAX = 65
const COLUMNS_MAX = 120
const FILES_IN_ROOM_MAX = 17
const FILES_IN_ROOT_MAX = 8

const OURS = '{server/{src,test},simulator/{src,test},local-postgres,tools,scripts}/**/*.ts'
// It is made of planted faults.
const PLANTED = 'server/test/architecture.test.ts'

/** All our TypeScript, read from disk. */
export async function readSources(root: string): Promise<Sources> {
  const paths = await Array.fromAsync(glob(OURS, { cwd: root, exclude: [PLANTED] }))
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(posix.join(root, path), 'utf8')] as const)),
  )
}

/** Checks every rule on the sources. */
export function survey(sources: Sources): Survey {
  const files = [...sources].map(([path, text]): File => ({ path, text, imports: listImports(path, text) }))
  const writers = findWriters(files)
  const imports = files.flatMap((file) => file.imports)
  const faults = [
    ...imports.flatMap(faultsOfImport),
    ...files.flatMap(faultsOfText),
    ...files.flatMap(findUnwrapped),
    ...[...writers].flatMap(([table, paths]) =>
      paths.length === 1 && isQueries(paths[0]!) ? [] : [fault('writers', table, `is written by ${paths.join(', ')}`)],
    ),
    ...circlesOfRooms(imports).map((rooms) => fault('circle', rooms.join(' and '), 'import one another in a circle')),
    ...circlesOfFiles(imports).map((group) => fault('file circle', group.join(' and '), 'import one another')),
    ...files.flatMap(toDepsTypes),
    ...findFullRooms(files).map(([room, count]) => fault('room', room, `has ${count} source files`)),
  ]
  return { files: files.length, edges: imports.length, tables: writers.size, faults }
}

function findFullRooms(files: File[]): [string, number][] {
  const rooms = Map.groupBy(
    files.filter(({ path }) => isSource(path)),
    ({ path }) => posix.dirname(path),
  )
  return [...rooms]
    .map(([room, { length }]): [string, number] => [room, length])
    .filter(([room, n]) => n > (room === 'server/src' ? FILES_IN_ROOT_MAX : FILES_IN_ROOM_MAX))
}

/** What composition gives each quarter. Any other function says inline what it takes. */
const COMPOSED = ['PlatformDeps', 'IdentityDeps', 'PushDeps']

function toDepsTypes({ path, text }: File): string[] {
  if (!isSource(path)) return []
  return Array.from(text.matchAll(/^(?:export )?(?:type|interface) (\w+Deps)\b/gm), ([, name = '']) => name)
    .filter((name) => !COMPOSED.includes(name) || !path.endsWith('/deps.ts'))
    .map((name) => fault('deps', path, `declares ${name}`))
}

const TEXT_RULES: [rule: Rule, pattern: RegExp, where: RegExp][] = [
  [
    'environment',
    /\bprocess\.env\b/,
    /^server\/src\/(?!(?:main|commands\/manage)\.ts$|platform\/config\/)(?!.*\.test\.ts$)/,
  ],
  // A program that loads a file of settings takes its default export.
  ['default export', /^export default\b|\bas default\b/m, /^(?!.*\.config\.ts$)/],
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
  const long = isSource(path) ? listLongParameters(code) : []
  return [
    ...found.map(([rule, pattern]) => fault(rule, path, `has ${JSON.stringify(pattern.exec(code)?.[0].trim())}`)),
    ...(lines > LINES_MAX ? [fault('length', path, `has ${lines} lines`)] : []),
    ...long.map((count) => fault('parameters', path, `has a function of ${count} parameters`)),
    ...findLongRoutes(path, text).map(([name, count]) => fault('length', path, `registers ${count} lines in ${name}`)),
    ...text
      .split('\n')
      .filter((line) => COMMENT.test(line) && line.length > COLUMNS_MAX)
      .map((line) => fault('width', path, `has a comment of ${line.length} columns`)),
  ]
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*\s)(?!.*https?:)/
const FUNCTION = /^(?:export )?(?:async )?function (?<name>\w+)[\s\S]*?^\}$/gm

/** Functions with too many lines of routes. */
function findLongRoutes(path: string, text: string): [name: string, lines: number][] {
  if (!path.endsWith('.routes.ts')) return []
  return [...text.matchAll(FUNCTION)]
    .map(([body, name = '']): [string, number] => [name, body.split('\n').length])
    .filter(([, count]) => count > LINES_OF_ROUTES_MAX)
}

// A route's source: from the call that registers it to the next one.
const CALL = String.raw`\b(?:app\.(?:get|post|put|patch|delete)|registerRoute|registerChange)\(`
const ROUTE = new RegExp(
  String.raw`\b(?:app\.(?<method>get|post|put|patch|delete)\(|registerRoute\(\s*app,\s*['\x60](?<verb>[A-Z]+) )(?<rest>(?:(?!${CALL})[\s\S])*)`,
  'g',
)
const OTHER_WAY = /\b(?:notIdempotent|ownTransactions):/

/** Routes that write without `write`, or `decide` which calls it, and without a reason; files that store answers. */
function findUnwrapped({ path, text }: File): string[] {
  if (!isSource(path)) return []
  const stores = /\bcompleteIn\(/.test(text) && !/platform\/(?:http\/write|idempotency\/idempotency)\.ts$/.test(path)
  const routes = [...text.matchAll(ROUTE)].filter(({ groups: { method, verb, rest } = {} }) => {
    const isWrite = (method !== 'get' && verb !== 'GET') || /\beffect: 'write'/.test(rest ?? '')
    return isWrite && !/\b(?:write|decide)\(/.test(rest ?? '') && !OTHER_WAY.test(rest ?? '')
  })
  return [
    ...(stores ? [fault('write', path, 'stores an answer itself')] : []),
    ...routes.map(([route]) =>
      fault(
        'write',
        path,
        `does not use write for ${/'[^']*'|`[^`]*`|\w+/.exec(route.slice(route.indexOf('(')))?.[0]}`,
      ),
    ),
  ]
}

const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
  /\b(?:insert|merge)\s+into\s+(\w+)/gi,
  /\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\bdelete\s+from\s+(\w+)/gi,
  /\btruncate\s+(\w+)/gi,
]

/** The files that write each table. */
function findWriters(files: File[]): Map<string, string[]> {
  const writers = new Map<string, string[]>()
  for (const { path, text } of files) {
    if (!isSource(path) || /\/db\/migrate\.ts/.test(path)) continue
    const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    const tables = new Set(WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table = '']) => table)))
    for (const table of tables) writers.set(table, [...(writers.get(table) ?? []), path])
  }
  return writers
}
