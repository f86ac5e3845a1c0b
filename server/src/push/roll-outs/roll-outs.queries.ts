import { sql, type Selectable } from 'kysely'
import { must } from '../../platform/shared/must.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import { PLACE } from '../devices/addresses.queries.ts'
import { isLive } from '../devices/devices.queries.ts'

/** `provider`: that of Apple or Google, which `share` percent of its phones with two addresses are reached by. */
export type RollOut = Selectable<Tables['roll_outs']>

export async function listRollOuts(db: Db | Tx): Promise<(RollOut & { name: string | null })[]> {
  const { rows } = await sql<RollOut & { name: string | null }>`
    select r.*, (select u.name from users u where u.user_id = r.changed_by) as name from roll_outs r
    order by r.provider`.execute(db)
  return rows
}

/** Locked; it begins with no phones where there is none. */
export async function lockRollOut(tx: Tx, provider: string, now: Date): Promise<RollOut> {
  await tx
    .insertInto('roll_outs')
    .values({ provider, share: 0, changed_at: now, changed_by: null, returned_at: null })
    .onConflict((conflict) => conflict.column('provider').doNothing())
    .execute()
  const locked = tx.selectFrom('roll_outs').selectAll().where('provider', '=', provider).forUpdate()
  return must(await locked.executeTakeFirst(), 'roll-out of a provider')
}

export async function updateRollOut(
  tx: Tx,
  provider: string,
  changes: Partial<Omit<RollOut, 'provider'>>,
): Promise<void> {
  await tx.updateTable('roll_outs').set(changes).where('provider', '=', provider).execute()
}

/** Live phones with two addresses, by provider and by their place among a hundred. Reads all phones. */
export type PhoneCount = { provider: string; place: number; phones: number }

export async function countPhones(db: Db, now: Date): Promise<PhoneCount[]> {
  const { rows } = await sql<PhoneCount>`
    select d.provider, ${PLACE} as place, count(*) as phones
    from mobile_devices d where d.fallback_token is not null and ${isLive(now)}
    group by 1, 2`.execute(db)
  return rows
}
