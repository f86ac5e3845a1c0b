import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { must } from '../../../server/src/platform/shared/must.ts'
import { AUTHORITY_FILE } from '../../../simulator/src/http2/certificates.ts'
import { startCampaign, untilCompleted } from '../campaign.ts'
import { ADMIN, signIn } from '../client.ts'
import { insertPeople } from '../people.ts'
import { readPostmaster } from '../../../server/test/support/process-table.ts'
import { cpuOfPostgres, peakMegabytes, readCpu } from '../processes.ts'
import { startBench, type Bench } from '../setup.ts'
import { startDouble } from './part.ts'
import { APP, KEY_ID, SUBJECT, TEAM, toToken, TOPIC, type Kind, type Target } from './target.ts'

const NAMES = { apns: `apns/${APP}/production`, fcm: `fcm/${APP}`, web: `web/${APP}` }
const PLATFORMS = { apns: 'ios', fcm: 'android', web: 'web' }
/** A campaign to these opens the first connections. */
const WARM = 1_000
const ROUNDS = 2

/**
 * Campaigns to everyone through one provider, by one worker, from the request to the last ticket: the first, while
 * connections are opened, one a second, and the next.
 */
export async function measureService(
  kind: Kind,
  pushes: number,
  latencyMs: number,
  say: (line: string) => void,
): Promise<void> {
  await using world = await startWorld(kind, pushes, { latencyMs, warm: WARM })
  const { bench, double, settings } = world
  const { rounds, removed } = await send(bench, settings)
  const { taken, connections } = await double.report()
  const wrong = taken.filter((times, push) => times !== rounds.length + (push < pushes ? 0 : 1)).length
  say(
    `\n${kind}, ${latencyMs} ms, the whole service: ${connections} handshakes; ${wrong} lost or doubled, ${removed} deleted`,
  )
  for (const { sent, perSecond, megabytes, ...cpu } of rounds) {
    const [worker, postgres] = [cpu.worker, cpu.postgres].map((seconds) => Math.round((seconds * 1e6) / sent))
    say(
      `  ${perSecond}/s with ledger, ${worker} µs of the worker and ${postgres} of PostgreSQL a push, ${megabytes} MB`,
    )
  }
}

/** A database of people with one phone each, all at one double. `settings`: of a process of the service. */
export async function startWorld(kind: Kind, pushes: number, { latencyMs, warm }: { latencyMs: number; warm: number }) {
  await using parts = new AsyncDisposableStack()
  const bench = await startBench()
  parts.defer(() => bench.close())
  const double = await startDouble({ kind, latencyMs, fault: undefined, pushes, warm, http: 2 })
  parts.defer(() => double.stop())
  const simulator = parts.use(await bench.simulator({ latencyMs: 0 }))
  await insertPhones(bench.pool, double.target)
  const settings = { EXPO_BASE_URL: simulator.url, PUSH_PROVIDERS_FILE: await writeSettings(double.target) }
  const all = parts.move()
  return { bench, double, settings, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function send(bench: Bench, settings: Record<string, string>) {
  await using web = await bench.service({ ...settings, ...ADMIN, PROCESS: 'web' })
  await using worker = await bench.service({ ...settings, PROCESS: 'worker' })
  const api = await signIn(web.url)
  const message = { title: 'Warm', text: 'Opens the connections.' }
  const warm = await api.post<{ notification_id: number }>('/api/admin/send-notification-sandbox', message)
  await untilCompleted(bench.pool, warm.notification_id)
  const { rows } = await bench.pool.query<{ data: string }>('select setting as data from pg_settings where name = $1', [
    'data_directory',
  ])
  const postmaster = await readPostmaster(must(rows[0], 'data directory'))
  const readBoth = async () => ({ worker: await readCpu(worker.pid), postgres: await cpuOfPostgres(postmaster) })
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const [before, startedAt] = [await readBoth(), Date.now()]
    const { completedAt, sent } = await untilCompleted(bench.pool, await startCampaign(api))
    const after = await readBoth()
    rounds.push({
      sent,
      perSecond: Math.round(sent / ((completedAt - startedAt) / 1_000)),
      worker: after.worker - before.worker,
      postgres: after.postgres - before.postgres,
      megabytes: await peakMegabytes(worker.pid),
    })
  }
  return { rounds, removed: await countRemoved(bench.pool) }
}

/** The phone of user n gets push n - 1; the last ones are the test users. */
async function insertPhones(pool: Pool & Parameters<typeof insertPeople>[0], target: Target): Promise<void> {
  await insertPeople(pool, target.pushes + target.warm)
  const tokens = Array.from({ length: target.pushes + target.warm }, (_, push) => toToken(target, push))
  await pool.query(
    `update mobile_devices d set token = t.token, provider = $2, platform = $3, is_proven = true
     from unnest($1::text[]) with ordinality as t (token, user_id) where d.user_id = t.user_id`,
    [tokens, NAMES[target.kind], PLATFORMS[target.kind]],
  )
  await pool.query('update users set is_test_user = user_id > $1', [target.pushes])
  await pool.query('vacuum analyze users, mobile_devices')
}

export async function countRemoved(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    'select count(*) as n from mobile_devices where removed_at is not null',
  )
  return Number(rows[0]?.n)
}

async function writeSettings({ kind, url, key, tokenUrl }: Target): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-providers-'))
  const [keyFile, file] = [join(folder, 'key'), join(folder, 'providers.json')]
  await writeFile(keyFile, key)
  const common = { kind, app: APP, ca_file: AUTHORITY_FILE }
  const own = {
    apns: { environment: 'production', team: TEAM, key_id: KEY_ID, topic: TOPIC, key_file: keyFile, address: url },
    fcm: { credentials_file: keyFile, address: url, token_address: tokenUrl },
    web: { subject: SUBJECT, key_file: keyFile, hosts: [new URL(url).host] },
  }
  await writeFile(file, JSON.stringify({ providers: [{ ...common, ...own[kind] }] }))
  return file
}
