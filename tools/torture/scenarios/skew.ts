import { call, expectStatus } from '../api.ts'
import { startSkewedWorker } from '../clocks.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

const HOUR_MS = 3_600_000

/** The clocks of two machines are set wrong during a campaign: one by a day, the other back. */
export const skew: Scenario = {
  name: 'skew',
  about: 'the clocks of two workers jump by +26 h and -2 h mid-campaign: nothing expires, nothing is rescued early',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 100)),
      PUSH_TIMEOUT_SECONDS: '5',
      PUSH_LEASE_SECONDS: '20',
    },
    provider: { latencyMs: 150 },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { web, token } = await startService(world, 0)
  const audience = await readAudience(world.pool)
  const clocks = [await startSkewedWorker(world, 'ahead'), await startSkewedWorker(world, 'behind')]
  const messageIds: number[] = []
  for (const [index, hours] of [26, -2].entries()) {
    messageIds.push(await startCampaign(world, web, token))
    await clocks[index]?.set(hours * HOUR_MS)
    await drain(world, messageIds)
  }
  expectStatus(202, await call(web.url, 'GET', '/api/admin/process-receipts?limit=10000', { token }))
  await until('the receipts were in', 20_000, async () => (await open(world)) === 0)
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'none' })
  const { rows } = await world.pool.query<{ n: number }>(
    `select count(*)::int as n from notifications where error_message = 'ReceiptExpired'`,
  )
  const faults = [
    ...Object.entries(finding.figures.ended).map(([code, count]) => `${count} ended as ${code}`),
    ...(rows[0]?.n === 0 ? [] : [`${rows[0]?.n} receipts expired`]),
  ]
  return { ...finding, faults: [...finding.faults, ...faults] }
}

async function open({ pool }: World): Promise<number> {
  const { rowCount } = await pool.query('select from notifications where is_send and is_delivered is null')
  return rowCount ?? 0
}
