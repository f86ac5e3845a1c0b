import { call, expectStatus, register } from '../api.ts'
import { holdAt } from '../holds.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/** Receipts that come late, never, or after they expired; phones that are gone, and one that has returned. */
export const receipts: Scenario = {
  name: 'receipts',
  about: 'receipts late, absent and expired, a worker killed before it stored them, gone phones',
  worldOptions: () => ({
    settings: { PUSH_TIMEOUT_SECONDS: '5', PUSH_LEASE_SECONDS: '20', RECEIPT_DELAY_SECONDS: '1' },
  }),
  run,
}

const LATE_MS = 21 * 60_000
const DAY_MS = 25 * 3_600_000
const BACK = 'ExponentPushToken[gone-and-back]'
const GONE = 'ExponentPushToken[gone-for-good]'

async function run(world: World): Promise<Finding> {
  const { provider, pool } = world
  const { web, token, workers } = await startService(world, 1)
  const [back, gone] = [await register(web.url), await register(web.url)]
  const registerPhone = async (owner: { token: string }, pushToken: string) => {
    const body = { token: pushToken, device_id: pushToken, platform: 'ios' }
    expectStatus(200, await call(web.url, 'POST', '/api/user/save-phone-token', { token: owner.token, body }))
  }
  await registerPhone(back, BACK)
  await registerPhone(gone, GONE)
  const [lateTokens, missingTokens] = await somePhones(world)
  for (const phone of lateTokens) provider.setToken(phone, { receipt: 'late' })
  for (const phone of missingTokens) provider.setToken(phone, { receipt: 'missing' })
  const messageIds = [await startCampaign(world, web, token)]
  await drain(world, messageIds)
  const [late, missing] = [idsSentTo(world, lateTokens), idsSentTo(world, missingTokens)]
  await registerPhone(back, BACK)

  const hold = await holdAt(world, 'receipts fetched, not stored')
  await ask(web.url, token)
  await hold.reached()
  await workers[0]?.kill()
  await hold.release()
  await world.startWorker()
  await askUntil(world, web.url, token, late.length + missing.length)
  const early = await readCopyOutcomes(world, [...late, ...missing])
  provider.advance(LATE_MS)
  await askUntil(world, web.url, token, missing.length)
  provider.advance(DAY_MS)
  await pool.query('update requests set started_at = $1', [new Date(Date.now() - DAY_MS)])
  await askUntil(world, web.url, token, 0)

  const faults = [
    ...wrong('a receipt that was not there yet', early, 'null'),
    ...wrong('a late receipt', await readCopyOutcomes(world, late), 'true'),
    ...wrong('a receipt that never came', await readCopyOutcomes(world, missing), 'false ReceiptExpired'),
    ...((await isLive(world, BACK)) ? [] : ['a phone that registered again after the push was removed']),
    ...((await isLive(world, GONE)) ? ['a phone that is gone was not removed'] : []),
  ]
  const notes = [`${late.length} receipts late, ${missing.length} absent for ever`]
  return toFinding(world, { messageIds, duplicates: 'none' }, { faults, notes })
}

/** Two separate groups of phones. */
async function somePhones({ pool, random, plan }: World): Promise<[string[], string[]]> {
  const { rows } = await pool.query<{ token: string }>(
    `select token from mobile_devices where token not in ($1, $2) order by id`,
    [BACK, GONE],
  )
  const lot = Math.ceil(plan.users / 20)
  const tokens = random.some(rows, 2 * lot).map((row) => row.token)
  return [tokens.slice(0, lot), tokens.slice(lot)]
}

function idsSentTo({ provider }: World, tokens: string[]): number[] {
  const phones = new Set(tokens)
  const entries = provider.accepted().filter((entry) => phones.has(entry.token))
  return entries.map((entry) => Number(entry.notification_id))
}

async function ask(url: string, token: string): Promise<void> {
  expectStatus(202, await call(url, 'GET', '/api/admin/process-receipts?limit=10000', { token }))
}

/** Asks for receipts until only this many are open. */
async function askUntil(world: World, url: string, token: string, open: number): Promise<void> {
  await ask(url, token)
  let askedAt = performance.now()
  await until(`only ${open} receipts were open`, 30_000, async () => {
    const { rows } = await world.pool.query<{ n: number }>(
      'select count(*)::int as n from notifications where is_send and is_delivered is null',
    )
    if ((rows[0]?.n ?? 0) <= open) return true
    if (performance.now() - askedAt > 1_000) {
      askedAt = performance.now()
      await ask(url, token)
    }
    return false
  })
}

async function readCopyOutcomes({ pool }: World, ids: number[]): Promise<string[]> {
  const { rows } = await pool.query<{ fate: string }>(
    `select concat_ws(' ', coalesce(is_delivered::text, 'null'), error_message) as fate from notifications
     where notification_id = any($1)`,
    [ids],
  )
  return rows.map((row) => row.fate)
}

function wrong(what: string, fates: string[], shouldBe: string): string[] {
  const others = fates.filter((fate) => fate !== shouldBe)
  return others.length === 0
    ? []
    : [`${what}: ${others.length} of ${fates.length} are "${others[0]}" and not "${shouldBe}"`]
}

async function isLive({ pool }: World, token: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from mobile_devices where token = $1 and removed_at is null', [token])
  return rowCount === 1
}
