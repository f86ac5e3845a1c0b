import { join } from 'node:path'
import type { Pool } from 'pg'
import { manage } from '../../../server/test/support/manage.ts'
import { connect } from '../../../server/src/platform/db/connect.ts'
import { createLog } from '../../../server/src/platform/shared/log.ts'
import { call, expectStatus, signIn } from '../api.ts'
import { startDumpedServer, type DumpedEnvironment } from '../environments/dumped.ts'
import { readAudience } from '../people.ts'
import { toFinding, runningOn, type Finding } from '../scenario.ts'
import { hurryTime } from '../time.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, JWT_SECRET, startCampaign, startService, type World } from '../world.ts'

const SENT_MS = 20_000

/** A restored backup: pushes sent after it are not known, are sent again, and are counted. */
export const restored = runningOn(startDumpedServer, {
  name: 'restored',
  about: 'a backup in the middle of a campaign, kill -9 of everything later, restored into a new database and resumed',
  // About four seconds a campaign.
  worldOptions: ({ users }) => ({
    settings: { PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 100)), PUSH_CONCURRENCY: '2' },
    provider: { latencyMs: 200 },
    users: Math.max(users, 400),
  }),
  run,
})

async function run(world: World, environment: DumpedEnvironment): Promise<Finding> {
  const { provider } = world
  const { web, token, workers } = await startService(world, 1)
  const audience = await readAudience(world.pool)
  const messageIds = [await startCampaign(world, web, token)]
  const file = join(world.folder, 'backup')
  const settings = { PATH: environment.programs, DATABASE_URL: world.databaseUrl, JWT_SECRET }
  // The campaign would be over before a slow machine has its backup.
  for (const worker of workers) worker.freeze()
  const backup = await manage(['backup', '--to', file], settings)
  const atBackup = provider.accepted().length
  for (const worker of workers) worker.thaw()
  await until('pushes left after the backup', SENT_MS, () => provider.accepted().length > atBackup + 50)
  await Promise.all([web, ...workers].map((process) => process.kill()))
  const atKill = provider.accepted().length

  const url = await environment.newEmptyDatabase('restored-into')
  const restore = await manage(['restore', '--from', file], { ...settings, DATABASE_URL: url })
  const failures = [backup, restore].flatMap(({ code, stdout, stderr }) => (code === 0 ? [] : [stdout + stderr]))
  if (failures.length > 0) throw new Error(failures.join('\n'))
  const pool = connect(url, { max: 4, log: createLog('silent') })
  const time = await hurryTime(url, pool)
  try {
    const repeated = await manage(['restore', '--from', file], { ...settings, DATABASE_URL: url })
    const { isQuiet, oldSession } = await resume(world, url, token)
    await drain({ ...world, pool }, messageIds)
    const uncounted = await countUncounted(pool, provider)
    const finding = await toFinding({ ...world, pool }, { messageIds, audience, duplicates: 'summed' })
    const faults = [
      ...finding.faults,
      ...(isQuiet ? [] : ['pushes left before sending was resumed']),
      ...(oldSession === 401 ? [] : [`a session of an administrator from before answers ${oldSession}`]),
      ...(repeated.code === 1 && /is not empty/.test(repeated.stderr) ? [] : ['a second restore was not refused']),
      ...(await findFaults(pool, { ...settings, DATABASE_URL: url })),
      ...(uncounted === 0 ? [] : [`${uncounted} phones got more pushes than their rows tell`]),
      ...(finding.figures.duplicated > 0 ? [] : ['nothing was doubled: the scenario met nothing']),
    ]
    const notes = [
      `${atBackup} pushes at the backup, ${atKill} when all was killed`,
      ...restore.stdout.trim().split('\n'),
    ]
    return { ...finding, faults, notes }
  } finally {
    await time.stop()
    await pool.end()
  }
}

/** Starts the service on the restored database, sees that it sends nothing, and has it go on. */
async function resume(world: World, url: string, old: string): Promise<{ isQuiet: boolean; oldSession: number }> {
  const before = world.provider.accepted().length
  const own = { DATABASE_URL: url }
  const [web] = await Promise.all([world.startWeb(own), world.startWorker(own)])
  const { status: oldSession } = await call(web.url, 'GET', '/api/admin/push-status', { token: old })
  const token = await signIn(web.url)
  const status = expectStatus(200, await call(web.url, 'GET', '/api/admin/push-status', { token })).data
  await until('the halt was announced', SENT_MS, async () => {
    const { data } = await call(web.url, 'GET', '/api/admin/push-status', { token })
    return (data['alerts'] as { code: string }[]).some(({ code }) => code === 'Restored')
  })
  const isQuiet = status['breaker'] === 'halted' && world.provider.accepted().length === before
  expectStatus(200, await call(web.url, 'POST', '/api/admin/push-status/resume', { token }))
  return { isQuiet, oldSession }
}

/** The audit log must be intact and record the restore, and no new id may be one used after the backup. */
async function findFaults(pool: Pool, settings: Record<string, string>): Promise<string[]> {
  const audit = await manage(['verify-audit'], settings)
  const { rows } = await pool.query<{ told: number; last: number }>(
    `select (select count(*)::int from audit_log where action = 'database.restore') as told,
       (select last_value from push_ids)::int as last`,
  )
  const { told, last } = rows[0] ?? { told: 0, last: 0 }
  return [
    ...(audit.code === 0 ? [] : [`verify-audit: ${audit.stdout}${audit.stderr}`]),
    ...(told === 1 ? [] : [`${told} entries of the audit log tell of the restore`]),
    ...(last > 10_000_000 ? [] : [`the ids of after the restore go on from ${last}`]),
  ]
}

/** Phones that got more pushes than one and the possible duplicates of their own notification. */
async function countUncounted(pool: Pool, provider: World['provider']): Promise<number> {
  const { rows } = await pool.query<{ token: string; possible: number }>(
    `select d.token, n.possible_duplicates as possible from notifications n
     join mobile_devices d on d.id = n.mobile_devices_id`,
  )
  const possible = new Map(rows.map((row) => [row.token, row.possible]))
  const copies = Map.groupBy(provider.accepted(), (entry) => entry.token)
  return [...copies].filter(([token, { length }]) => length - 1 > (possible.get(token) ?? 0)).length
}
