import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { listSettings, upsertSetting } from './settings.queries.ts'

/** Spec, user setting: `1` means enabled. */
export type Settings = { notification: '0' | '1' }

/** A setting that was never set is off. */
export async function settingsOf(db: Db | Tx, userId: number): Promise<Settings> {
  const { notification } = await listSettings(db, userId)
  return { notification: notification === '1' ? '1' : '0' }
}

export async function changeSettings(
  { clock }: Pick<IdentityDeps, 'clock'>,
  tx: Tx,
  userId: number,
  { notification }: Settings,
): Promise<Settings> {
  await upsertSetting(tx, userId, 'notification', notification, fromNow(clock))
  return settingsOf(tx, userId)
}
