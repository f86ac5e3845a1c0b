import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { atMicros, toMicros } from '../../platform/db/micros.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import { isLive } from './devices.queries.ts'

/** `at`: `last_registered_at` in microseconds. */
export type OwnDevice = Pick<
  Selectable<Tables['mobile_devices']>,
  'id' | 'device_id' | 'platform' | 'last_registered_at'
> & { at: number }

export async function listOwnDevices(
  db: Db,
  userId: number,
  { after, limit, now }: { after: [at: number, id: number] | undefined; limit: number; now: Date },
): Promise<OwnDevice[]> {
  const isAfter = after === undefined ? sql`true` : sql`(last_registered_at, id) < (${atMicros(after[0])}, ${after[1]})`
  const { rows } = await sql<OwnDevice>`
    select id, device_id, platform, last_registered_at, ${toMicros(sql`last_registered_at`)} as at
    from mobile_devices d where user_id = ${userId} and ${isLive(now)} and ${isAfter}
    order by last_registered_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
