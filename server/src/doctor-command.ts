import { statfs } from 'node:fs/promises'
import { storedFindings, schemaFindings, sendingFindings } from './administration/doctor/stored-findings.ts'
import { findServerFacts, listTableFacts, type ServerFacts } from './administration/doctor/doctor.queries.ts'
import { expectedIndexes } from './administration/doctor/expected-indexes.ts'
import { firstOf, linesOf, type Finding } from './administration/doctor/findings.ts'
import { serverFindings, tableFindings } from './administration/doctor/server-findings.ts'
import type { Command, Place } from './command-line.ts'
import { openAuditKeys } from './platform/audit/keys.ts'
import { isRemote } from './platform/config/database-url.ts'
import { connect, queryBuilder, type DbPool } from './platform/db/connect.ts'
import { faultOfVersion, readMigrations } from './platform/db/migrate.ts'
import { expectLimits, findPooling } from './platform/db/pooling.ts'
import { checkListCounts } from './platform/lists/list-counts.ts'
import { askServer } from './platform/db/session.ts'
import { messageOf } from './platform/shared/errors.ts'
import { createExpoProvider } from './push/provider/expo/expo.ts'

const OLDEST_NODE = [24, 7] as const
const FREE_LEAST = 2_000_000_000

export const doctorCommand: Command = {
  doc: 'Check settings, versions, database and provider; changes nothing.',
  toleratesFaults: true,
  options: { json: { doc: 'As JSON: a list of check, level and says.' } },
  runAt: async (place, { json }) => {
    const findings = [
      ...settingsFindings(place),
      nodeFinding(process.versions.node),
      ...(await databaseFindings(place)),
      await diskFinding(place),
      await providerFinding(place),
    ]
    const text = json === undefined ? linesOf(findings) : JSON.stringify(findings, undefined, 2)
    return { text, isGood: findings.every(({ level }) => level !== 'fail') }
  },
}

function settingsFindings({ faults, warnings }: Place): Finding[] {
  const found = [
    ...faults.map((says): Finding => ({ check: 'settings', level: 'fail', says })),
    ...warnings.map((says): Finding => ({ check: 'settings', level: 'warn', says })),
  ]
  return found.length > 0 ? found : [{ check: 'settings', level: 'ok', says: 'All settings can be used.' }]
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return firstOf(
    'node',
    [['fail', isOld, `Node ${version} is too old: use ${OLDEST_NODE.join('.')} or later.`]],
    `Node ${version}.`,
  )
}

async function databaseFindings(place: Place): Promise<Finding[]> {
  const { config, log } = place
  const url = config.DATABASE_URL
  try {
    const pooling = await findPooling(url)
    const pool = connect(url, { max: 4, log, pooling })
    try {
      const db = queryBuilder(pool)
      const server = await findServerFacts(db)
      const context = {
        isProduction: config.NODE_ENV === 'production',
        isRemote: isRemote(url),
        pool: config.DATABASE_POOL,
        aheadMs: await aheadMs(pool),
      }
      const findings = [await poolerFinding(pool), ...serverFindings(server, context), sizeFinding(server)]
      const fault = await faultOfVersion(pool)
      findings.push(
        firstOf('migrations', [['fail', fault !== undefined, fault ?? '']], 'The schema is of this version.'),
      )
      if (fault !== undefined) return findings
      const migrations = await readMigrations()
      return [
        ...findings,
        ...tableFindings(server, await listTableFacts(db)),
        ...(await schemaFindings(db, expectedIndexes(migrations.map(({ text }) => text)))),
        ...(await storedFindings(
          { db, clock: { now: Date.now }, config, auditKeys: await openAuditKeys(db, config) },
          place,
        )),
        totalsFinding((await checkListCounts(db)).isGood),
        ...(await sendingFindings(db)),
      ]
    } finally {
      await pool.end()
    }
  } catch (error) {
    return [{ check: 'database', level: 'fail', says: `The database cannot be checked: ${messageOf(error)}` }]
  }
}

function totalsFinding(areRight: boolean): Finding {
  const says = 'Kept totals of lists differ from the rows: run rebuild-list-counts.'
  return firstOf('totals', [['fail', !areRight, says]], 'Kept totals of lists are right.')
}

async function poolerFinding(pool: DbPool): Promise<Finding> {
  const fault = await expectLimits(pool).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  )
  const direct = 'No pooler, or one in session mode.'
  const otherwise =
    pool.pooling === 'session' ? direct : 'A pooler in transaction mode; the limits are set on the role.'
  return firstOf('pooler', [['fail', fault !== undefined, fault ?? '']], otherwise)
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
  const says = `The database has ${Math.ceil(bytes / 1_000_000)} MB. Watch the free space of its disk.`
  return { check: 'size', level: 'ok', says }
}

async function diskFinding({ config, isLocal }: Place): Promise<Finding> {
  if (!isLocal)
    return { check: 'disk', level: 'ok', says: 'The disk of the database is on its server, and not looked at.' }
  const { bavail, bsize } = await statfs(config.DATA_DIR)
  return spaceFinding(bavail * bsize, config.DATA_DIR)
}

export function spaceFinding(free: number, folder: string): Finding {
  const says = `${Math.floor(free / 1_000_000)} MB are free in ${folder}`
  return firstOf('disk', [['warn', free < FREE_LEAST, `${says}: make room.`]], `${says}.`)
}

async function providerFinding({ config, faults, isLocal }: Place): Promise<Finding> {
  if (faults.some((fault) => fault.startsWith('EXPO_BASE_URL ')))
    return { check: 'provider', level: 'warn', says: 'Not asked: EXPO_BASE_URL is not valid.' }
  const provider = createExpoProvider(config)
  try {
    const health = await provider.probe()
    const code = 'code' in health ? health.code : health.kind
    const says = `The provider at ${config.EXPO_BASE_URL} does not answer as it should (${code}).`
    const cases: Parameters<typeof firstOf>[1] = [
      [
        'fail',
        health.kind === 'misconfigured',
        `The provider refuses our credentials (${code}): correct EXPO_ACCESS_TOKEN.`,
      ],
      ['warn', health.kind === 'failing' && isLocal, `${says} Set EXPO_BASE_URL where npm start has another SIM_PORT.`],
      ['fail', health.kind === 'failing', `${says} Check the network, and its status page.`],
      ['warn', health.kind === 'busy', `${says} It asks to slow down.`],
    ]
    return firstOf('provider', cases, `The provider at ${config.EXPO_BASE_URL} answers.`)
  } finally {
    await provider.close()
  }
}
