import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { ErrorCode } from './provider.ts'
import type { BreakerState, Platform } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'

type Named = { provider: string; platform: Platform }
export type PlatformState = Omit<Selectable<Tables['provider_platforms']>, 'provider' | 'platform'>

export async function lockPlatform(tx: Tx, provider: string, platform: Platform): Promise<PlatformState> {
  await tx
    .insertInto('provider_platforms')
    .values({ provider, platform })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const {
    provider: _provider,
    platform: _platform,
    ...state
  } = await tx
    .selectFrom('provider_platforms')
    .selectAll()
    .where((on) => on.and({ provider, platform }))
    .forUpdate()
    .executeTakeFirstOrThrow()
  return state
}

export async function updatePlatform(tx: Tx, { provider, platform }: Named, state: PlatformState): Promise<void> {
  const own = tx.updateTable('provider_platforms').set(state)
  await own.where('provider', '=', provider).where('platform', '=', platform).execute()
}

/** Whether the provider accepted a token that it did not refuse since; `platform` absent: of any. */
export async function hasProvenToken(
  db: Db | Tx,
  { provider, platform }: Pick<Named, 'provider'> & Partial<Named>,
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

/** What a request of the provider asks before it begins, in one statement. */
export function findGate(
  db: Db,
  provider: string,
): Promise<{ breaker: BreakerState; busy_until: Date; paused: Platform[] }> {
  return db
    .selectFrom('provider_state as s')
    .select((on) => [
      's.breaker',
      's.busy_until',
      sql<Platform[]>`array(${on
        .selectFrom('provider_platforms as p')
        .select('p.platform')
        .whereRef('p.provider', '=', 's.provider')
        .where('p.paused_since', 'is not', null)})`.as('paused'),
    ])
    .where('s.provider', '=', provider)
    .executeTakeFirstOrThrow()
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
