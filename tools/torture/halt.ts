import { setTimeout as sleep } from 'node:timers/promises'
import { call, expectStatus } from './api.ts'
import { until } from '../../server/test/support/until.ts'
import type { World } from './world.ts'

// Time for the work after the last answers: the breaker's report, the count of gone phones.
const AFTERMATH_MS = 1_000

/** Waits until sending has halted and all work has stopped. */
export async function untilHalted(world: World): Promise<void> {
  const halted = `select from messages, provider_state where breaker = 'halted' and status = 'paused'`
  await until('sending was halted', 20_000, async () => (await count(world, halted)) > 0)
  const inFlight = 'select from requests where outcome is null'
  await until('nothing was in flight', 20_000, async () => (await count(world, inFlight)) === 0)
  await sleep(AFTERMATH_MS)
}

/** Waits until these providers are halted and nothing is on its way to them; gives the reasons that were stored. */
export async function untilProvidersHalted(world: World, providers: readonly string[]): Promise<string[]> {
  const read = async () => {
    const { rows } = await world.pool.query<{ reason: string | null; open: number }>(
      `with asked as (select provider, count(*)::int as open from requests where outcome is null group by provider)
       select halt_reason as reason, coalesce(open, 0) as open from provider_state left join asked using (provider)
       where breaker = 'halted' and provider = any($1) order by provider`,
      [providers],
    )
    return rows
  }
  await until('the providers were halted', 20_000, async () => (await read()).length === providers.length)
  await until('nothing was in flight', 20_000, async () => (await read()).every(({ open }) => open === 0))
  await sleep(AFTERMATH_MS)
  return (await read()).map(({ reason }) => reason ?? '')
}

/** Resumes sending, as an administrator does. */
export async function resume(url: string, token: string): Promise<void> {
  expectStatus(200, await call(url, 'POST', '/api/admin/push-status/resume', { token }))
}

/** The phones that are removed now. */
export async function countRemoved(world: World): Promise<number> {
  return count(world, 'select from mobile_devices where removed_at is not null')
}

async function count({ pool }: World, query: string): Promise<number> {
  const { rowCount } = await pool.query(query)
  return rowCount ?? 0
}
