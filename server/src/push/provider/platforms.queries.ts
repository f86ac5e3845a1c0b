import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { ErrorCode } from './provider.ts'
import type { BreakerState, Platform } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export type PlatformState = Selectable<Tables['provider_platforms']>

export async function lockPlatform(tx: Tx, provider: string, platform: Platform): Promise<PlatformState> {
  await tx
    .insertInto('provider_platforms')
    .values({ provider, platform })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const state = tx.selectFrom('provider_platforms').selectAll()
  return state
    .where((on) => on.and({ provider, platform }))
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updatePlatform(tx: Tx, { provider, platform, ...state }: PlatformState): Promise<void> {
  const own = tx.updateTable('provider_platforms').set(state)
  await own.where('provider', '=', provider).where('platform', '=', platform).execute()
}

/** Whether the provider accepted a token that it did not refuse since; `platform` absent: of any. */
export async function hasProvenToken(
  db: Db | Tx,
  { provider, platform }: { provider: string; platform?: Platform },
): Promise<boolean> {
  const proven = db
    .selectFrom('mobile_devices')
    .select('id')
    .where(sql<boolean>`is_proven`)
    .limit(1)
  const live = proven.where('provider', '=', provider).where('removed_at', 'is', null)
  const own = platform === undefined ? live : live.where('platform', '=', platform)
  return (await own.executeTakeFirst()) !== undefined
}

export function listPausedPlatforms(db: Db | Tx, provider: string) {
  return db
    .selectFrom('provider_platforms')
    .select(['platform', 'paused_code as code'])
    .$narrowType<{ code: ErrorCode }>()
    .where('provider', '=', provider)
    .where('paused_since', 'is not', null)
    .orderBy('platform')
    .execute()
}

type Gate = { breaker: BreakerState; busy_until: Date; paused: Platform[] }

/** What a request of the provider asks before it begins, in one statement. */
export async function findGate(db: Db, provider: string): Promise<Gate> {
  const { rows } = await sql<Gate>`
    select breaker, busy_until, array(
      select platform from provider_platforms p where p.provider = s.provider and paused_since is not null) as paused
    from provider_state s where provider = ${provider}`.execute(db)
  return must(rows[0], 'state of a provider')
}

/** Purged people leave the lists of those whose results are counted (ADR 15). */
export async function deletePlatformPeople(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update provider_platforms
    set people = array(select unnest(people) except select unnest(${userIds}::bigint[]))
    where people && ${userIds}::bigint[]`.execute(tx)
}

/** Platforms of these providers may be asked again, and what they answered before no longer counts. */
export async function resumePlatforms(tx: Tx, providers: string[]): Promise<void> {
  await tx.deleteFrom('provider_platforms').where('provider', 'in', providers).execute()
}
