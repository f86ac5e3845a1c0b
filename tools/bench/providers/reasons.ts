import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { startCampaign } from '../campaign.ts'
import { ADMIN, signIn } from '../client.ts'
import { countRemoved, startWorld } from './service.ts'
import type { Kind } from './target.ts'

/** What a provider answers if the topic, the key, the environment or the project of ours is wrong. */
const REASONS: Record<Kind, readonly string[]> = {
  apns: [
    'DeviceTokenNotForTopic',
    'TopicDisallowed',
    'BadTopic',
    'MissingTopic',
    'InvalidProviderToken',
    'MissingProviderToken',
    'ExpiredProviderToken',
    'UnrelatedKeyIdInToken',
    'Forbidden',
    'BadDeviceToken',
    'BadEnvironmentKeyIdInToken',
    'BadEnvironmentKeyInToken',
    'BadCertificate',
    'BadCertificateEnvironment',
  ],
  fcm: [
    'NOT_FOUND',
    'SENDER_ID_MISMATCH',
    'INVALID_ARGUMENT',
    'UNAUTHENTICATED',
    'PERMISSION_DENIED',
    'THIRD_PARTY_AUTH_ERROR',
  ],
  web: ['401', '403', '400 VapidPkHashMismatch', '400 BadJwtToken', '400 UnauthorizedRegistration'],
}
const QUIET_MS = 2_000
const LONGEST_MS = 90_000

type Say = (line: string) => void

/** Sends campaigns by the whole service to phones, all refused for one fault of ours, and says what becomes of them. */
export async function measureReasons(kind: Kind, phones: number, say: Say): Promise<void> {
  for (const isProven of [true, false]) {
    say(`\n${kind}, a fault of ours, ${phones} phones that ${isProven ? 'took pushes before' : 'never took a push'}`)
    for (const reason of REASONS[kind])
      say(`  ${reason.padEnd(30)} ${await measure(kind, { phones, reason, isProven })}`)
  }
}

type Fault = { phones: number; reason: string; isProven: boolean }

async function measure(kind: Kind, { phones, reason, isProven }: Fault): Promise<string> {
  await using world = await startWorld(kind, phones, { latencyMs: 0, warm: 0 })
  const { bench, double, settings } = world
  await bench.pool.query('update mobile_devices set is_proven = $1', [isProven])
  await double.answer(reason)
  await using processes = new AsyncDisposableStack()
  const web = processes.use(await bench.service({ ...settings, ...ADMIN, PROCESS: 'web' }))
  processes.use(await bench.service({ ...settings, PROCESS: 'worker' }))
  const campaign = await startCampaign(await signIn(web.url))
  const counts = await untilQuiet(bench.pool, campaign)
  const { taken } = await double.report()
  const stopped = await readStops(bench.pool)
  const sent = taken.filter((times) => times > 0).length
  return `deleted ${await countRemoved(bench.pool)}, refused ${counts.failed}, taken ${sent}; ${stopped || 'nothing stopped'}`
}

type Counts = { failed: number; isCompleted: boolean }

/** Until the campaign is completed, or sending has stopped and nothing more of it fails, or 90 s are over. */
async function untilQuiet(pool: Pool, campaign: number): Promise<Counts> {
  const endAt = Date.now() + LONGEST_MS
  let [last, since] = [await readCounts(pool, campaign), Date.now()]
  while (!last.isCompleted && Date.now() < endAt) {
    await sleep(100)
    const counts = await readCounts(pool, campaign)
    if (counts.failed !== last.failed || (await readStops(pool)) === '') since = Date.now()
    last = counts
    if (Date.now() - since > QUIET_MS) break
  }
  return last
}

async function readCounts(pool: Pool, campaign: number): Promise<Counts> {
  const { rows } = await pool.query<{ failed: string | null; done: boolean }>(
    `select m.completed_at is not null as done,
            (select sum(failed) from message_counts c where c.message_id = m.message_id) as failed
     from messages m where m.message_id = $1`,
    [campaign],
  )
  return { failed: Number(rows[0]?.failed), isCompleted: rows[0]?.done === true }
}

async function readStops(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ stop: string }>(
    `select concat_ws(' ', provider, breaker::text, breaker_code) as stop from provider_state where breaker <> 'closed'
     union all
     select concat_ws(' ', provider, platform::text, 'paused', paused_code) from provider_platforms
     where paused_since is not null`,
  )
  return rows.map(({ stop }) => stop).join(', ')
}
