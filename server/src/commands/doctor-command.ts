import { statfs } from 'node:fs/promises'
import { storedFindings, schemaFindings, sendingFinding } from '../administration/doctor/stored-findings.ts'
import { findServerFacts, listTableFacts, type ServerFacts } from '../administration/doctor/doctor.queries.ts'
import { expectedIndexes } from '../administration/doctor/expected-indexes.ts'
import { fail, formatFindings, ok, warn, type Finding } from '../administration/doctor/findings.ts'
import { nodeFindings } from '../administration/doctor/node-findings.ts'
import { productionFindings } from '../administration/doctor/setting-findings.ts'
import { autovacuumFinding, serverFindings } from '../administration/doctor/server-findings.ts'
import type { PlaceCommand } from './command-line.ts'
import type { Place } from '../platform/process/command.ts'
import { openAuditKeys } from '../platform/audit/keys.ts'
import { isRemote } from '../platform/config/database-url.ts'
import { queryBuilder, withPool, type Db, type DbPool } from '../platform/db/connect.ts'
import { readHomes } from '../platform/db/homes.ts'
import { openNodes } from '../platform/db/nodes.ts'
import { readMigrations, readVersion } from '../platform/db/migrations.ts'
import { expectLimits, findPooling } from '../platform/db/pooling.ts'
import { hasCitus } from '../platform/db/migrate.ts'
import { NOT_DIVIDED } from './migrate-command.ts'
import { findDivisionFacts } from '../administration/figures/nodes.queries.ts'
import { checkListCounts } from '../platform/lists/list-counts.ts'
import { askServer } from '../platform/db/session.ts'
import { toErrorMessage } from '../platform/shared/errors.ts'
import { providerFindings, unconfiguredFinding } from './provider-findings.ts'

const OLDEST_NODE = [24, 7] as const
const FREE_LEAST = 2_000_000_000

export const doctorCommand: PlaceCommand = {
  doc: 'Check settings, versions, database and provider; changes nothing.',
  toleratesFaults: true,
  options: { json: { doc: 'As JSON: a list of check, level and says.' } },
  runAt: async (place, { json }) => {
    const findings = [
      ...settingsFindings(place),
      ...productionFindings(place.config),
      nodeFinding(process.versions.node),
      ...(await databaseFindings(place)),
      await diskFinding(place),
      ...(await providerFindings(place)),
    ]
    const text = json === undefined ? formatFindings(findings) : JSON.stringify(findings, undefined, 2)
    return { text, isGood: findings.every(({ level }) => level !== 'fail') }
  },
}

function settingsFindings({ faults, warnings }: Place): Finding[] {
  const found = [...faults.map((says) => fail('settings', says)), ...warnings.map((says) => warn('settings', says))]
  return found.length > 0 ? found : [ok('settings', 'All settings can be used.')]
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  if (isOld) return fail('node', `Node ${version} is too old: use ${OLDEST_NODE.join('.')} or later.`)
  return ok('node', `Node ${version}.`)
}

async function databaseFindings(place: Place): Promise<Finding[]> {
  const { config, log } = place
  try {
    const pooling = await findPooling(config.DATABASE_URL)
    return await withPool(config.DATABASE_URL, { max: 4, log, pooling }, (pool) => findingsIn(pool, place))
  } catch (error) {
    return [fail('database', `The database cannot be checked: ${toErrorMessage(error)}`)]
  }
}

async function findingsIn(pool: DbPool, place: Place): Promise<Finding[]> {
  const { config } = place
  pool.homes = await readHomes(pool)
  const db = queryBuilder(pool)
  const server = await findServerFacts(db)
  const context = {
    isProduction: config.NODE_ENV === 'production',
    isRemote: isRemote(config.DATABASE_URL),
    pool: config.DATABASE_POOL,
    aheadMs: await aheadMs(pool),
  }
  const findings = [await poolerFinding(pool), ...serverFindings(server, context), sizeFinding(server)]
  const { fault, later } = await readVersion(pool)
  if (fault !== undefined) return [...findings, fail('migrations', fault)]
  const migrations = await readMigrations()
  const stored = { db, clock: { now: Date.now }, config, auditKeys: await openAuditKeys(db, config) }
  const ofRelease = [
    ...findings,
    later.length === 0
      ? ok('migrations', 'The schema is of this version.')
      : warn('migrations', `The schema is of a later version, with which this release works: ${later.join(', ')}.`),
    ...(await divisionFindings(db, pool, place)),
  ]
  // What follows reads rows of all homes.
  if (ofRelease.some(({ check, level }) => check === 'nodes' && level === 'fail')) return ofRelease
  return [
    ...ofRelease,
    autovacuumFinding(server, await listTableFacts(db)),
    ...(await schemaFindings(db, expectedIndexes(migrations.map(({ text }) => text)))),
    ...(await storedFindings(stored, place)),
    totalsFinding((await checkListCounts(db)).isGood),
    await sendingFinding({ db, pool }),
    await unconfiguredFinding(db, place),
  ]
}

async function divisionFindings(db: Db, pool: DbPool, place: Place): Promise<Finding[]> {
  if (pool.homes > 1)
    return [...nodeFindings(await findDivisionFacts({ db, pool })), await homeServersFinding(pool, place)]
  return (await hasCitus(pool)) ? [warn('nodes', NOT_DIVIDED)] : []
}

/** Tries the servers of all homes from this machine, because its processes ask them too. */
async function homeServersFinding(pool: DbPool, { config, log }: Place): Promise<Finding> {
  const nodes = openNodes(pool, config.DATABASE_URL, { max: 1, log })
  let unreached = 0
  for (let home = 0; home < pool.homes; home++)
    if ((await nodes.find(home).catch(() => undefined)) === undefined) unreached++
  await nodes.end()
  if (unreached === 0) return ok('home-servers', 'Each home is reached at its server.')
  const remedy = 'Let this machine in at the workers, and this account read pg_dist_node and pg_dist_placement.'
  return warn(
    'home-servers',
    `${unreached} homes are reached through the coordinator alone, which is slower. ${remedy}`,
  )
}

function totalsFinding(areRight: boolean): Finding {
  if (!areRight) return fail('totals', 'Kept totals of lists differ from the rows: run rebuild-list-counts.')
  return ok('totals', 'Kept totals of lists are right.')
}

async function poolerFinding(pool: DbPool): Promise<Finding> {
  const fault = await expectLimits(pool).then(
    () => undefined,
    (error: unknown) => toErrorMessage(error),
  )
  if (fault !== undefined) return fail('pooler', fault)
  if (pool.pooling === 'session') return ok('pooler', 'No pooler, or one in session mode.')
  return ok('pooler', 'A pooler in transaction mode; the limits are set on the role.')
}

async function aheadMs(pool: DbPool): Promise<number> {
  const client = await pool.connect()
  try {
    const { aheadMs: ofMonotonic } = await askServer(client)
    return ofMonotonic - (Date.now() - performance.now())
  } finally {
    client.release()
  }
}

function sizeFinding({ bytes }: ServerFacts): Finding {
  return ok('size', `The database has ${Math.ceil(bytes / 1_000_000)} MB. Watch the free space of its disk.`)
}

async function diskFinding({ config, isLocal }: Place): Promise<Finding> {
  if (!isLocal) return ok('disk', 'The disk of the database is on its server, and not looked at.')
  const { bavail, bsize } = await statfs(config.DATA_DIR)
  return spaceFinding(bavail * bsize, config.DATA_DIR)
}

export function spaceFinding(free: number, folder: string): Finding {
  const says = `${Math.floor(free / 1_000_000)} MB are free in ${folder}`
  return free < FREE_LEAST ? warn('disk', `${says}: make room.`) : ok('disk', `${says}.`)
}
