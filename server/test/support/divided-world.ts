import { sql } from 'kysely'
import { unlessAway } from '../../src/platform/db/homes.ts'
import type { Lane } from '../../src/platform/tables/tables.ts'
import { runOnce } from '../../src/push/pipeline/submit.ts'
import { toHome } from '../../src/push/records/home.queries.ts'
import { createDividedDatabase } from './citus.ts'
import type { GivenUser } from './given.ts'
import { openLink } from './link.ts'
import { startService } from './service.ts'

export type DividedWorld = Awaited<ReturnType<typeof openDividedWorld>>

/** A service on a divided database. Between it and one worker, of which `lost` has their home, is a link. */
export async function openDividedWorld(citusUrl: string) {
  const database = await createDividedDatabase(citusUrl, 8, { 'citus.node_connection_timeout': '1s' })
  const link = await openLink(Number(new URL(database.workerUrls[0]!).port))
  const service = await startService({}, { lead: () => database.url })
  const { db } = service.deps
  await sql`update pg_dist_node set nodeport = ${link.port} where groupid = 1`.execute(db)
  const { rows } = await sql<{ home: number }>`
    select home from generate_series(0, 7) home
    join pg_dist_placement on shardid = get_shard_id_for_distribution_column('batches', home)
    where groupid = 1`.execute(db)
  const homes = new Set(rows.map(({ home }) => home))
  const people = await Promise.all(Array.from({ length: 24 }, () => service.given.user({ devices: [{}] })))
  const isLost = ({ userId }: GivenUser) => homes.has(toHome(db, userId))
  const lost = people.find(isLost)!
  const others = people.filter((one) => !isLost(one))
  const [other, another] = others as [GivenUser, GivenUser]

  const ask = (url: string, { headers }: Pick<GivenUser, 'headers'>, payload?: object) =>
    service.app.inject({ method: payload ? 'POST' : 'GET', url, headers, ...(payload && { payload }) })
  /** Until nothing is left but what waits for the server. */
  const sendWhatCan = async (lane: Lane) => {
    const { signal } = new AbortController()
    while ((await unlessAway(db, runOnce(service.deps, lane, signal), 'idle')) !== 'idle');
  }
  const tokensSent = () => service.simulator.log().map(({ token }) => token)
  const readOutcome = async (messageId: number, { userId }: GivenUser) => {
    const found = await sql<{ outcome: string | null }>`
      select outcome from requests where home = ${toHome(db, userId)} and ${messageId} = any(message_ids)`.execute(db)
    return found.rows
  }
  const close = async () => {
    await service.close()
    await link.close()
    await database.drop()
  }
  return {
    database,
    link,
    service,
    people,
    lost,
    others,
    other,
    another,
    homes,
    ask,
    sendWhatCan,
    tokensSent,
    readOutcome,
    close,
  }
}
