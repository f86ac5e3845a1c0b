// Slow: a worker by the true clock.
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { describeFive } from '../../../test/support/five-providers.ts'
import { startRealTime } from '../../../test/support/real-time.ts'
import { sendToUsers } from '../../../test/support/send.ts'
import { addProviders } from '../provider/provider-state.queries.ts'
import { listNames } from '../provider/registry.ts'
import { claimBatches } from './claim.ts'

const POOL = 6
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

test('the claims of five providers leave connections to their gates', async () => {
  const { registry, others } = describeFive()
  const real = await startRealTime({ DATABASE_POOL: POOL }, registry)
  onTestFinished(() => real.close())
  await addProviders(real.deps.db, listNames(real.deps.providers))
  const devices = others.map(({ name, tokenType }) => ({ token: `${tokenType}-token:${name}`, provider: name }))
  const { userId } = await real.given.user({ devices: [{}, ...devices] })
  const said = { content: { title: 'a', text: 'b' }, senderId: null, userIds: [userId], origin: 'named' as const }
  // What Expo's lanes claim divides the work of both among all.
  for (const [promotional, lane] of [
    [true, 'campaign'],
    [false, 'transactional'],
  ] as const) {
    await sendToUsers(real.deps, { ...said, promotional })
    await claimBatches(real.deps, { lane, limit: 1 })
  }
  const holder = new Client(real.databaseUrl)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin')
  await holder.query('lock table requests in exclusive mode')
  const { providers, log } = await real.work()
  const countWaiting = async () => (await holder.query(WAITING)).rowCount
  await expect.poll(countWaiting).toBeGreaterThanOrEqual(POOL - 3)
  for (const { gate } of providers) await expect.poll(async () => (await gate(log)).isOpen).toBe(true)
  expect(await countWaiting()).toBe(POOL - 3)
  await holder.query('rollback')
})
