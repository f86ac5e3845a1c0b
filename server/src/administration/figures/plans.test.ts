// For CI: query plans on tables of up to a million rows.
import { expect, onTestFinished, test } from 'vitest'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import { startService } from '../../../test/support/service.ts'
import type { DbPool } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { findQueues } from '../../push/status/queues.queries.ts'
import { findRecent } from '../../push/status/recent.queries.ts'
import { findInstallationFigures } from './figures.queries.ts'

const PAST = 100_000
const CAMPAIGN_BATCHES = 30_000
const SINGLE_MESSAGES = 5_000
const RECEIPTS_DUE = 30_000

/** Messages, batches and requests: many that are over, and more that are due than are counted. */
async function fill(pool: DbPool, now: Date): Promise<void> {
  const message = `insert into messages (type, audience, lane, needs_opt_in, title, body, status, created_at, expires_at,
    updated_at, coordinated_at)`
  const rest = `'a', 'b', $3::text, $2::timestamptz, 'infinity', now(), now()
    from generate_series(1, $1::int) n`
  const insert = (count: number, status: string, lane: string, audience: string) =>
    pool.query<{ message_id: number }>(
      `${message} select 'promotional', '${audience}', '${lane}', false, ${rest} returning message_id`,
      [count, now, status],
    )
  await insert(PAST, 'completed', 'campaign', 'users')
  const campaign = await insert(1, 'sending', 'campaign', 'all')
  await insert(SINGLE_MESSAGES, 'queued', 'transactional', 'users')
  const dueAt = new Date(now.getTime() - 90_000)
  await pool.query(
    `with batch as (
      insert into batches (message_id, user_ids, first_user, created_at)
      select message_id, '{1}', 1, now() from messages where audience = 'users' returning batch_id, message_id)
    insert into work (batch_id, message_id, places, due_at)
    select batch_id, message_id, '{0}', $1::timestamptz from batch join messages using (message_id) where status <> 'completed'`,
    [dueAt],
  )
  await pool.query(
    `with batch as (
      insert into batches (message_id, user_ids, first_user, created_at)
      select $1, '{1}', 1, now() from generate_series(1, $3::int) returning batch_id, message_id)
    insert into work (batch_id, message_id, places, due_at) select batch_id, message_id, '{0}', $2 from batch`,
    [campaign.rows[0]?.message_id, dueAt, CAMPAIGN_BATCHES],
  )
  await pool.query(
    `insert into requests (request_id, provider, message_ids, batch_ids, sizes, places, rounds, started_at, lease_until, outcome, next_receipt_at)
    select n, 'expo', '{1}', '{1}', '{1}', '{0}', '\\x01', $1::timestamptz, $1::timestamptz - interval '1 s', case when n > 3 then 'accepted' end,
      case when n <= $2 then $1::timestamptz - interval '10 min' end
    from generate_series(1, $3::int) n`,
    [now, RECEIPTS_DUE, PAST],
  )
}

test('the figures of the installation are read by index and in time, and counts end, on tables that have just grown', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const now = fromNow(service.deps.clock)
  await fill(service.deps.pool, now)
  await service.deps.pool.query(`do $$ begin
    execute format('alter database %I set random_page_cost = 4', current_database());
  end $$`)
  const { deps, plans, close } = await watchPlans(service)
  onTestFinished(close)
  const figures = await findInstallationFigures(deps, now)
  expect(figures.lanes.toSorted((one, other) => one.due - other.due)).toEqual([
    { lane: 'transactional', due: SINGLE_MESSAGES, oldest: 90 },
    { lane: 'campaign', due: 20_000, oldest: 90 },
  ])
  expect(figures.providers).toMatchObject([
    { provider: 'expo', breaker: 'closed', receipts: 20_000, oldest_receipt: 600 },
  ])
  expect(await findQueues(deps, { now })).toMatchObject({
    lanes: [{ due: SINGLE_MESSAGES }, { due: 20_000 }],
    receipts: { due: 20_000, oldest: 600 },
  })
  expect(await findRecent(deps, new Date(0))).toMatchObject([{ provider: 'expo', requests: 500 }])
  expect(figures).toMatchObject({ uncoordinated: 0, in_flight: 3, abandoned: 3, alerts: [] })
  expect(plans.join('\n')).toContain('messages_running')
  expect(
    scannedBy(plans).filter((table) =>
      ['messages', 'batches', 'work', 'requests', 'sessions', 'mails'].includes(table),
    ),
  ).toEqual([])
})
