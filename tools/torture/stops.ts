import { until } from '../../server/test/support/until.ts'
import { call, expectStatus } from './api.ts'
import { findDifferingHomes } from './checker.ts'
import type { World } from './world.ts'

/** A time in which nothing of a message may be claimed. */
export type Quiet = { messageId: number; what: string; from: number; to: number }

// The service follows PostgreSQL's clock; this program uses the machine's.
const CLOCKS_DIFFER_MS = 20

/** Stops a campaign while these homes are lost, and says so if the answer does not name them. */
export async function stopWithout(
  lost: number[],
  { url, token }: { url: string; token: string },
  messageId: number,
): Promise<{ quiet: Quiet; faults: string[] }> {
  const path = `/api/admin/promotional-notifications/${messageId}/stop`
  const { data } = expectStatus(200, await call(url, 'POST', path, { token }))
  const said = JSON.stringify([data['status'], data['homes_not_counted']])
  return {
    quiet: { messageId, what: 'stopped', from: Date.now(), to: Infinity },
    faults: said === JSON.stringify(['stopped', lost]) ? [] : [`the stop of campaign ${messageId} says ${said}`],
  }
}

/** What is wrong with stopped campaigns that are over: after the stop nobody is pushed, and all are counted. */
export async function findFaultsOfStops(world: World, stops: Quiet[], selected: number): Promise<string[]> {
  const messageIds = stops.map(({ messageId }) => messageId)
  return [
    ...(await claimedInQuiet(world, stops)),
    ...(await unselected(world, messageIds, selected)),
    ...(await findDifferingHomes(world.pool, messageIds)),
  ]
}

/** Waits until nothing is left of a stopped campaign; how many people of these homes it left out, after how long. */
export async function untilLeftOut({ pool }: World, messageId: number, homes: number[]) {
  const from = performance.now()
  await until('the lost homes of a stopped campaign ended', 60_000, async () => {
    const { rows } = await pool.query<{ open: number }>(
      `select ((select count(*) from messages where message_id = $1 and coordinated_at is null)
         + (select count(*) from work where message_id = $1))::int as open`,
      [messageId],
    )
    return rows[0]!.open === 0
  })
  const { rows } = await pool.query<{ people: number }>(
    `select coalesce(sum(skipped_stopped), 0)::int as people from message_counts
     where message_id = $1 and home = any($2)`,
    [messageId, homes],
  )
  const { people } = rows[0]!
  return {
    note: `its stop left out ${people} people of these homes ${Math.round(performance.now() - from)} ms after the server was back`,
    faults: people > 0 ? [] : [`the stop of campaign ${messageId} left out nobody of the lost homes`],
  }
}

/** Claims of a message during a time in which there must be none. */
export async function claimedInQuiet({ pool }: World, quiets: Quiet[]): Promise<string[]> {
  const { rows } = await pool.query<{ message_id: number; at: Date }>(
    'select distinct message_id::int, started_at as at from requests cross join unnest(message_ids) message_id',
  )
  return quiets.flatMap(({ messageId, what, from, to }) => {
    const late = rows.filter(
      ({ message_id, at }) =>
        message_id === messageId && at.getTime() > from + CLOCKS_DIFFER_MS && at.getTime() < to - CLOCKS_DIFFER_MS,
    )
    return late.length === 0
      ? []
      : [`${late.length} requests of campaign ${messageId} were claimed while it was ${what}`]
  })
}

/** A stopped campaign also selects everybody: it counts those it did not reach as skipped. */
export async function unselected({ pool }: World, messageIds: number[], selected: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: number; n: number }>(
    `select message_id::int as id, sum(selected)::int as n from message_counts where message_id = any($1) group by 1`,
    [messageIds],
  )
  return rows.flatMap(({ id, n }) =>
    n === selected ? [] : [`stopped campaign ${id} selected ${n} and not ${selected}`],
  )
}
