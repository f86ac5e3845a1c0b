import { posix } from 'node:path'
import { fault, type Rule } from './architecture-rules.ts'

export type Import = { from: string; to: string; isType: boolean }

/** They stand from the lowest upwards: each imports itself and those below it. The root composes the quarters. */
const QUARTERS = ['platform', 'identity', 'push', 'marketplace', 'administration', 'root', 'commands']

const FROM = /^(?:import|export)\s+(?:(type)\s)?([^'"`;]*?)\s*(?:from\s+)?'([^']+)'/gm
const DYNAMIC = /\bimport\('([^']+)'\)/g

/** What a file imports, at its beginning or later. */
export function listImports(path: string, text: string): Import[] {
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

/** Tests and what supports them. */
function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || !path.includes('/src/')
}

export function isSource(path: string): boolean {
  return path.startsWith('server/src/') && !isTest(path)
}

export function isQueries(path: string): boolean {
  return path.endsWith('.queries.ts')
}

type Layer = 'routes' | 'queries' | 'rules' | 'http' | 'db' | 'jobs' | 'shared' | 'config' | 'entry' | 'elsewhere'

const ROOMS_OF_PLATFORM: [layer: Layer, rooms: string[]][] = [
  ['http', ['http', 'server', 'openapi', 'limits', 'idempotency', 'lists', 'people', 'panel']],
  ['db', ['db', 'tables']],
  ['jobs', ['jobs']],
  ['shared', ['shared', 'concurrency', 'rights', 'secrets', 'streams', 'tracing', 'statements']],
  ['config', ['config']],
  ['entry', ['process']],
]
const PLATFORM_LAYERS = new Map(ROOMS_OF_PLATFORM.flatMap(([layer, rooms]) => rooms.map((room) => [room, layer])))

/** The layer of a file, by its suffix and its folder. */
function findLayer(path: string): Layer {
  const [, quarter = '', room = ''] = /^server\/src\/(?:(\w+)\/(?:([\w-]+)\/)?)?/.exec(path) ?? []
  if (!path.startsWith('server/src/')) return 'elsewhere'
  if (isQueries(path)) return 'queries'
  // What a batch holds is changed without the database.
  if (path === 'server/src/push/ledger/ledger.ts') return 'shared'
  if (/\.(?:routes|views)\.ts$/.test(path)) return 'routes'
  if (quarter === '' || quarter === 'commands') return 'entry'
  return (quarter === 'platform' ? PLATFORM_LAYERS.get(room) : undefined) ?? 'rules'
}

const TRANSACTION = 'server/src/platform/db/transaction.ts'
/** Where a route's change begins. */
const WORK = 'server/src/platform/work/work.ts'
/** Where what concerns a home alone begins. */
const HOMES = 'server/src/platform/db/homes.ts'
const PLANNER = 'server/src/platform/db/planner.ts'
const QUEUE = 'server/src/platform/jobs/queue.ts'
/** Readiness asks whether the schema is current. */
const MIGRATE = 'server/src/platform/db/migrations.ts'
/** A change counts in its own transaction what a rollback must not count. */
const LIMITS = 'server/src/platform/limits/rate-limit.ts'
/** The settings of providers are checked as the input of a call is. */
const VALIDATION = 'server/src/platform/http/validation.ts'
const RULES_MAY = [TRANSACTION, HOMES, PLANNER, QUEUE, MIGRATE, LIMITS, VALIDATION]
const LIST_SQL = /\/platform\/lists\/(?:pattern|cursor|list-rows|(?:define-list|list-counts|search)\.queries)\.ts$/
/** Queries that other rooms use: those of the same quarter, or those of a quarter above whose subject they are. */
const STORES: [stores: RegExp, users: RegExp][] = [
  [/^server\/src\/push\/(?:records|provider|ledger|pipeline|devices)\//, /^server\/src\/push\//],
  [/^server\/src\/identity\/(?:accounts|activity)\//, /^server\/src\/(?:identity|administration)\//],
  [/^server\/src\/identity\/(?:sessions|settings)\//, /^server\/src\/identity\//],
  // The condition of a phone that is signed in.
  [/^server\/src\/identity\/sessions\/sessions\.queries\.ts$/, /^server\/src\/push\//],
  // What a search of people looks into.
  [/^server\/src\/identity\/accounts\/user-search\.queries\.ts$/, /^server\/src\/push\//],
  // What is due: the push status and the metrics count it alike.
  [/^server\/src\/push\/status\/queues\.queries\.ts$/, /^server\/src\/(?:push|administration)\//],
  // What a person has in the inbox, and where it lies; which messages run.
  [/^server\/src\/push\/(?:ledger\/person|records\/statuses)\.queries\.ts$/, /^server\/src\/administration\//],
  [/^server\/src\/push\/records\/home\.queries\.ts$/, /^server\/src\/(?:marketplace|administration)\//],
  // An owner's products are changed beside the swaps that they are in, of which their own room knows nothing.
  [/^server\/src\/marketplace\/products\//, /^server\/src\/marketplace\/own-products\//],
  // What others see of a product.
  [/^server\/src\/marketplace\/products\/visible\.queries\.ts$/, /^server\/src\/marketplace\//],
  // A purge empties what people wrote in the tables of all rooms.
  [
    /^server\/src\/(?:marketplace\/(?:history|likes|subscriptions)|identity\/approvals|push\/(?:records|provider)|administration\/exports)\//,
    /^server\/src\/administration\/accounts\/purge\.ts$/,
  ],
  // The condition of a list that hides blocked people.
  [/^server\/src\/identity\/blocks\//, /^server\/src\/(?:push|marketplace)\//],
  [
    /^server\/src\/(?:marketplace\/(?:products|reports)|platform\/(?:audit|idempotency)|administration\/users)\//,
    /^server\/src\/administration\//,
  ],
]

/**
 * What each layer may import besides types, and besides what lies in its own folder. Entries put everything together.
 */
const MAY_IMPORT: Record<Layer, (to: string, layer: Layer) => boolean> = {
  routes: (_, layer) => ['rules', 'http', 'shared', 'jobs'].includes(layer),
  queries: (to, layer) => layer === 'db' || layer === 'shared' || LIST_SQL.test(to),
  rules: (to, layer) => RULES_MAY.includes(to) || ['rules', 'shared'].includes(layer),
  http: (to, layer) => to === WORK || to === TRANSACTION || ['http', 'shared', 'config'].includes(layer),
  jobs: (_, layer) => layer === 'db' || layer === 'shared',
  db: (_, layer) => layer === 'shared',
  shared: (_, layer) => layer === 'shared',
  config: (_, layer) => layer === 'config' || layer === 'shared',
  entry: () => true,
  elsewhere: () => true,
}

/** Packages that only some files may use. */
const PACKAGES: [name: RegExp, where: RegExp][] = [
  [/^kysely$/, /\.queries\.ts$|^server\/src\/platform\/(?:db|lists)\//],
  [/^pg$/, /^server\/src\/platform\/(?:db|jobs)\//],
  [/^pg-boss$/, /^server\/src\/platform\/jobs\//],
  [/^nodemailer$/, /^server\/src\/identity\/mails\//],
  [/^@opentelemetry\//, /^server\/src\/platform\/tracing\//],
  [/^prom-client$/, /^server\/src\/platform\/metrics\//],
  [/^undici$/, /^server\/src\/push\/provider\//],
  [
    /^(?:fastify|@fastify\/.+)$/,
    /\.routes\.ts$|^server\/src\/(?:platform\/(?:http|server|openapi|idempotency|limits|lists|panel)\/|app\.ts$)/,
  ],
  [
    /^(?:typebox|ajv|ajv-formats)$/,
    /\.(?:routes|views|schema)\.ts$|^server\/src\/(?:platform\/(?:http|openapi|lists|people)\/|push\/provider\/.*settings\.ts$)/,
  ],
]

/** The rules that one import breaks. */
export function faultsOfImport({ from, to, isType }: Import): string[] {
  const isOfServer = isSource(from)
  const wrong: [Rule, boolean][] = [
    ['layers', isOfServer && !isType && /^server\/.*\.ts$/.test(to) && !mayImport(from, to)],
    ['packages', isOfServer && !isType && PACKAGES.some(([name, where]) => name.test(to) && !where.test(from))],
    ['quarters', isOfServer && to.startsWith('server/src/') && findRank(to) > findRank(from)],
    [
      'halves',
      (isOfServer && /^(?:simulator|local-postgres|tools)\//.test(to) && from !== TRIAL) ||
        (from.startsWith('simulator/') && to.startsWith('server/')),
    ],
  ]
  return wrong.filter(([, isWrong]) => isWrong).map(([rule]) => fault(rule, from, `imports ${to}`))
}

/** The one file of the server that loads what production does not need, when it is asked to. */
const TRIAL = 'server/src/trial.ts'

function findQuarter(path: string): string | undefined {
  return /^server\/src\/(\w+)\//.exec(path)?.[1]
}

const findRank = (path: string) => QUARTERS.indexOf(findQuarter(path) ?? 'root')

function findRoom(path: string): string | undefined {
  return /^server\/src\/(\w+\/[\w-]+)\//.exec(path)?.[1]
}

/** Groups of rooms, each of which reaches all others of its group by imports, types included. */
export function circlesOfRooms(imports: Import[]): string[][] {
  return findCircles(imports.filter(({ from }) => !isTest(from)).map(({ from, to }) => [findRoom(from), findRoom(to)]))
}

/** Groups of files of the server that import one another, types included. */
export function circlesOfFiles(imports: Import[]): string[][] {
  return findCircles(imports.filter(({ from, to }) => isSource(from) && isSource(to)).map(({ from, to }) => [from, to]))
}

function findCircles(pairs: (string | undefined)[][]): string[][] {
  const next = new Map<string, Set<string>>()
  for (const [from, to] of pairs)
    if (from !== undefined && to !== undefined && from !== to) next.set(from, (next.get(from) ?? new Set()).add(to))
  const reached = new Map([...next.keys()].map((part) => [part, reachedFrom(part, next)]))
  const circles = [...reached].map(([part, parts]) =>
    [...parts]
      .filter((other) => other !== part && reached.get(other)?.has(part))
      .concat(part)
      .toSorted(),
  )
  return [...new Map(circles.filter((parts) => parts.length > 1).map((parts) => [parts.join(), parts])).values()]
}

function reachedFrom(room: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>()
  const open = [room]
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const to of next.get(from) ?? [])
      if (!reached.has(to)) {
        reached.add(to)
        open.push(to)
      }
  return reached
}

/** JSON is made in views, which routes hand to `write` or call. Rules and queries give records. */
function mayRender(path: string): boolean {
  return path.endsWith('.routes.ts') || path.endsWith('.views.ts')
}

function mayImport(from: string, to: string): boolean {
  const [importer, imported] = [findLayer(from), findLayer(to)]
  if (imported === 'queries' && STORES.some(([stores, users]) => stores.test(to) && users.test(from))) return true
  if (to.endsWith('.views.ts')) return mayRender(from) && findQuarter(from) === findQuarter(to)
  if (posix.dirname(from) !== posix.dirname(to)) return MAY_IMPORT[importer](to, imported)
  // Imports in one room go from routes to rules and from rules to queries, and never back.
  if (importer === 'queries') return imported === 'queries' || imported === 'shared' || LIST_SQL.test(to)
  return importer !== 'rules' || imported !== 'routes'
}
