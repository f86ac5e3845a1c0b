import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'
import type { Platform } from '../../platform/tables/tables.ts'

/** It rings as long as the session lives. `fallback`: its other address, Expo's; null: it named none. */
export type NewDevice = {
  userId: number
  sessionId: string
  token: string
  /** The beginning of all tokens of the same phone, of which the latest is kept. */
  ofPhone: string
  deviceId: string
  platform: Platform
  provider: string
  fallback: { token: string; provider: string } | null
  /** The token that was named together with its own before, where it names one alone. */
  partner?: string | undefined
}

/** The index on it gives a token to one live phone, in whichever column. */
const LAST_ADDRESS = sql.raw('coalesce(fallback_token, token)')

/**
 * Finds the token that an account named last together with this one: both are of one phone, so that the row of the
 * partner ends. It is never an address of this row, because who knows a token may have named a partner for it.
 */
export async function findPartner(tx: Tx, { token, fallback }: NewDevice): Promise<string | undefined> {
  if (fallback !== null) return undefined
  const { rows } = await sql<{ partner: string }>`
    select partner from (
      select fallback_token as partner, last_registered_at, id from mobile_devices
      where removed_at is not null and token = ${token} and fallback_token is not null
      union all
      select token, last_registered_at, id from mobile_devices
      where removed_at is not null and fallback_token = ${token}) named
    order by last_registered_at desc, id desc limit 1`.execute(tx)
  return rows[0]?.partner
}

/**
 * One registration at a time for a token and for a person, whose phones replace each other. Then all rows that it may
 * change, in the order of ids, because a removal may hold some of them.
 */
export async function lockRegistration(tx: Tx, device: NewDevice): Promise<void> {
  const { userId, token } = device
  const tokens = listTokens(device)
  const names = [...tokens.map((one) => `token:${one}`), `person:${userId}`]
  await sql`
    select pg_advisory_xact_lock(key) from (
      select hashtextextended(name, 0) as key from unnest(${names}::text[]) name order by 1) keys`.execute(tx)
  await sql`
    select from mobile_devices
    where id = any(array(
      ${selectReached(tokens)}
      union select id from mobile_devices where user_id = ${userId} and (removed_at is null or token = ${token})))
    order by id for no key update`.execute(tx)
}

/**
 * Adds the other address that a phone named before, when it names one: both are the phone's as long as its row lives.
 * The row must be of the same person, because who knows a token would else get the pushes of its owner.
 */
export async function withOtherAddress(tx: Tx, device: NewDevice): Promise<NewDevice> {
  if (device.fallback !== null) return device
  const { rows } = await sql<Pick<NewDevice, 'token' | 'platform' | 'provider'> & { fallback: NewDevice['fallback'] }>`
    select token, platform, provider,
      json_build_object('token', fallback_token, 'provider', fallback_provider) as fallback
    from mobile_devices
    where user_id = ${device.userId} and removed_at is null and fallback_token is not null
      and ${device.token} in (token, fallback_token)`.execute(tx)
  const [known] = rows
  if (known === undefined) return device
  return known.token === device.token ? { ...device, fallback: known.fallback } : { ...device, ...known }
}

/** The place of a device (`d`) among a hundred, which never changes (ADR 26). */
export const PLACE = sql.raw(`(('x' || left(md5(d.device_id), 8))::bit(32)::bigint % 100)`)

/**
 * Whether a device (`d`) with two addresses is reached by its own, not by its fallback: its place is below the share of
 * its provider.
 */
export function isReachedNatively() {
  return sql<boolean>`
    (${PLACE} < coalesce((select r.share from roll_outs r where r.provider = d.provider), 0))`
}

/** A live row of this phone that was registered by its fallback alone, where none has its token. */
export function isKept({ userId, token, fallback }: NewDevice) {
  if (fallback === null) return sql`false`
  return sql`(user_id = ${userId} and token = ${fallback.token} and not exists (
    select from mobile_devices own where own.user_id = ${userId} and own.token = ${token}))`
}

/** Lists all tokens of the phone. */
export function listTokens({ token, fallback, partner }: NewDevice): string[] {
  return [token, fallback?.token, partner].filter((one) => one !== undefined)
}

/** The ids of live devices that are reached by one of these: each token is found by an index of its own. */
export function selectReached(tokens: string[]) {
  return sql`
    select id from mobile_devices where removed_at is null and token = any(${tokens})
    union select id from mobile_devices where removed_at is null and ${LAST_ADDRESS} = any(${tokens})`
}
