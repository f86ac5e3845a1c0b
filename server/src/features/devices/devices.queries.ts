import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import type { Platform } from '../../db/tables.ts'

export type NewDevice = { userId: number; token: string; deviceId: string; platform: Platform }

/** Refreshes a device that is registered just so; false when it is not. */
export async function touchDevice(db: Db, device: NewDevice, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mobile_devices')
    .set({ last_registered_at: now, updated_at: now })
    .where('user_id', '=', device.userId)
    .where('token', '=', device.token)
    .where('device_id', '=', device.deviceId)
    .where('platform', '=', device.platform)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes registrations of the same token, and of the same phone, wait for each other until the transaction ends. */
export async function lockRegistration(tx: Tx, { userId, token, deviceId }: NewDevice): Promise<void> {
  // In a fixed order, so that two registrations never wait for each other in a circle.
  await sql`
    select pg_advisory_xact_lock(key) from (
      select hashtextextended(name, 0) as key from unnest(${[`token:${token}`, `device:${userId}:${deviceId}`]}::text[]) name
      order by 1) keys`.execute(tx)
}

export type ReleasedDevice = { id: number; user_id: number }

/** Takes the token from former owners, and the former token from this phone; gives the rows that it released. */
export async function releaseFormer(tx: Tx, device: NewDevice, now: Date): Promise<ReleasedDevice[]> {
  const { rows } = await sql<ReleasedDevice>`
    update mobile_devices set removed_at = ${now}, updated_at = ${now},
      removed_reason = case when user_id = ${device.userId} then 'replaced' else 'moved' end
    where removed_at is null and not (user_id = ${device.userId} and token = ${device.token})
      and (token = ${device.token} or (user_id = ${device.userId} and device_id = ${device.deviceId}))
    returning id, user_id`.execute(tx)
  return rows
}

/** Inserts the device, or brings back the row of this user and token. */
export async function upsertDevice(tx: Tx, device: NewDevice, now: Date): Promise<void> {
  await tx
    .insertInto('mobile_devices')
    .values({
      user_id: device.userId,
      token: device.token,
      device_id: device.deviceId,
      platform: device.platform,
      last_registered_at: now,
      removed_at: null,
      removed_reason: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'token']).doUpdateSet({
        device_id: device.deviceId,
        platform: device.platform,
        last_registered_at: now,
        removed_at: null,
        removed_reason: null,
        updated_at: now,
      }),
    )
    .execute()
}

/** Releases a user's phone by its device id; gives the rows that it released. */
export async function releaseByDeviceId(
  tx: Tx,
  userId: number,
  deviceId: string,
  now: Date,
): Promise<ReleasedDevice[]> {
  return tx
    .updateTable('mobile_devices')
    .set({ removed_at: now, removed_reason: 'released', updated_at: now })
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('removed_at', 'is', null)
    .returning(['id', 'user_id'])
    .execute()
}

/** Removes devices that the provider called gone, but none that has registered since the push left. */
export async function removeGone(db: Db, gone: { deviceId: number; sentAt: Date }[], now: Date): Promise<void> {
  await sql`
    update mobile_devices d set removed_at = ${now}, removed_reason = 'DeviceNotRegistered', updated_at = ${now}
    from unnest(${gone.map((g) => g.deviceId)}::bigint[], ${gone.map((g) => g.sentAt)}::timestamptz[]) as g(id, sent_at)
    where d.id = g.id and d.removed_at is null and d.last_registered_at <= g.sent_at`.execute(db)
}

/** Brings back devices removed as gone since a moment, where no other has taken their token or phone; their number. */
export async function restoreGone(db: Db, since: Date, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update mobile_devices d set removed_at = null, removed_reason = null, updated_at = ${now}
    where removed_reason = 'DeviceNotRegistered' and removed_at >= ${since} and not exists (
      select 1 from mobile_devices other
      where other.removed_at is null and other.id <> d.id
        and (other.token = d.token or (other.user_id = d.user_id and other.device_id = d.device_id)))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
