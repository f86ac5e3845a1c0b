import type { PushDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { inTransaction, isDatabaseUnavailable } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { gather } from '../../platform/concurrency/gather.ts'
import type { Work } from '../../platform/work/work.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { findFallback, findOwner, type NamedAddress } from '../provider/owners.ts'
import type { ErrorCode, Provider } from '../provider/provider.ts'
import { listPausedPlatforms } from '../provider/platforms.queries.ts'
import { findProviderState, lockRemovals } from '../provider/provider-state.queries.ts'
import { findPartner, lockRegistration, withOtherAddress, type NewDevice } from './addresses.queries.ts'
import {
  moveRow,
  registerPlain,
  release,
  releaseFormer,
  releaseGone,
  removeGone,
  restoreGone,
  setProven,
  upsertDevice,
  type ProvenDevices,
} from './devices.queries.ts'
import {
  findRegisteredSince,
  type GoneFilter,
  type LastingFault,
  countGone,
  type GoneCount,
} from './removed-devices.queries.ts'
import { withPlans } from '../../platform/db/planner.ts'

const MOST_ASKED = 100
/** A call of this many takes about a second. */
const RESTORED_A_STEP = 10_000
const TRIES = 5

/** A token moves to its latest account; a phone's new token replaces the old (spec: save-phone-token; decision B10). */
export function createRegisterDevice(deps: PushDeps) {
  const registerSimply = gather((devices: NewDevice[]) => registerTogether(deps, devices), MOST_ASKED)
  return async ({ userId, sessionId, deviceId, fallbackToken, ...phone }: NamedPhone): Promise<NewDevice> => {
    const owner = findOwner(deps.providers, phone)
    const fallback = fallbackToken === undefined ? null : findFallback(deps.providers, owner, fallbackToken)
    const token = owner.toStored?.(phone.token) ?? phone.token
    const platform = choosePlatform(owner, phone.platform)
    const ofPhone = owner.phoneOf?.(token) ?? token
    const device = { userId, sessionId, deviceId, token, ofPhone, platform, provider: owner.name, fallback }
    return (await registerSimply(device)) ? device : registerCarefully(deps, device)
  }
}

/** `platform` absent: that of its provider. `fallbackToken`: Expo's, of a phone that names another as its token. */
export type NamedPhone = Pick<NewDevice, 'userId' | 'sessionId' | 'deviceId'> &
  NamedAddress & { platform?: Platform | undefined; fallbackToken?: string | undefined }

async function registerCarefully(deps: PushDeps, named: NewDevice): Promise<NewDevice> {
  const now = fromNow(deps.clock)
  for (let tries = 1; tries <= TRIES; tries++)
    try {
      const registered = await inTransaction(deps.db, async (tx) => {
        const registration = { ...named, partner: await findPartner(tx, named) }
        await lockRegistration(tx, registration)
        // Who was faster may have ended the row that names the partner. The lock is for other tokens then.
        if ((await findPartner(tx, named)) !== registration.partner) return undefined
        const device = await withOtherAddress(tx, registration)
        await releaseFormer(tx, device, now)
        await moveRow(tx, device)
        await upsertDevice(tx, device, now)
        return device
      })
      if (registered !== undefined) return registered
    } catch (error) {
      // A plain registration, which takes no lock, was faster.
      if (!isDuplicate(error) || tries === TRIES) throw error
    }
  throw errors.unavailable()
}

function choosePlatform({ platforms }: Provider, named: Platform | undefined): Platform {
  if (named === undefined) return platforms[0]
  if (platforms.includes(named)) return named
  const allowed = platforms.filter((platform) => platform !== 'unknown')
  throw errors.validation({ platform: [`must be one of those of this token: ${allowed.join(', ')}`] })
}

/** False for all when the statement failed, so that each device fails or succeeds separately. */
async function registerTogether({ pool, clock }: PushDeps, devices: NewDevice[]): Promise<boolean[]> {
  try {
    return await registerPlain(pool, devices, fromNow(clock))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    return devices.map(() => false)
  }
}

/** False when no such phone is registered. */
export async function releaseDevice(
  { tx, now }: Work,
  { userId, deviceId }: Pick<NewDevice, 'userId' | 'deviceId'>,
): Promise<boolean> {
  const released = await release(tx, userId, { deviceId }, now())
  await releaseGone(tx, userId, deviceId, now())
  return released.length > 0
}

/** 404 for a phone of another user and for a released one (decision B10). */
export async function releaseOwnDevice(
  { tx, now }: Work,
  { userId, id }: { userId: number; id: number },
): Promise<number> {
  const released = await release(tx, userId, { id }, now())
  if (released.length === 0) throw errors.notFound('This device')
  return id
}

/** Whether the token of a push will never work again, and its device is removed (decisions B11, B13). */
export function isLastingFault(code: ErrorCode, { removesMismatched }: Removing): code is LastingFault {
  return code === 'DeviceNotRegistered' || (code === 'MismatchSenderId' && removesMismatched === true)
}

type Removing = Pick<Provider, 'removesMismatched'>

/** The token or the phone has another row that is registered. */
function isDuplicate(error: unknown): boolean {
  return (error as { code?: string }).code === '23505'
}

/**
 * A device whose token will not work again, as the provider said of a push that was sent at `sentAt`. A device that
 * registered after `since` stays; absent: after the push was sent.
 */
export type GoneDevice = { deviceId: number; sentAt: Date; since?: Date | undefined; reason: LastingFault }

/**
 * Removes none while the provider is halted, nor for a push from before its last resume (decision B11). An alert halts
 * under the same lock and restores devices afterwards, so that no removal is decided before it and stored after it.
 */
export async function removeDevices(
  { tx, now }: Work,
  { provider, gone }: { provider: string; gone: GoneDevice[] },
): Promise<void> {
  if (gone.length === 0) return
  await lockRemovals(tx, provider, 'shared')
  const { breaker, resumed_at } = await findProviderState(tx, provider)
  if (breaker === 'halted') return
  const isPaused = (await listPausedPlatforms(tx, provider)).some(({ code }) => code === 'MismatchSenderId')
  const counted = gone.filter(
    ({ sentAt, reason }) => resumed_at <= sentAt && !(isPaused && reason === 'MismatchSenderId'),
  )
  const removed = counted.map(({ since, ...one }) => ({ ...one, before: earlier(one.sentAt, since) }))
  await removeGone(tx, provider, removed, now())
}

/** Gives the phones that registered again after the moment from which the provider calls them gone. */
export async function listRegisteredSince(db: Db, gone: GoneDevice[]): Promise<ReadonlySet<number>> {
  const since = gone.flatMap(({ deviceId, since: at }) => (at === undefined ? [] : [{ deviceId, at }]))
  return new Set(since.length > 0 ? await findRegisteredSince(db, since) : [])
}

/** Only providers that keep unproven tokens from the others need it. */
export async function noteProven({ tx }: Work, proven: ProvenDevices): Promise<void> {
  if (proven.devices.length > 0) await setProven(tx, proven)
}

function earlier(one: Date, other: Date = one): Date {
  return other < one ? other : one
}

/** Restores devices that were removed for one reason, in steps that commit by themselves. */
export async function restoreDevices(
  { db, clock }: Pick<PushDeps, 'db' | 'clock'>,
  what: Pick<GoneFilter, 'provider' | 'reason' | 'hasFallback'>,
  since: Date,
): Promise<number> {
  // `to` is exclusive.
  const filter = { ...what, from: since, to: fromNow(clock, 1) }
  for (let restored = 0, refused = 0; ;) {
    try {
      const step = await restoreGone(db, filter, fromNow(clock), RESTORED_A_STEP)
      if (step === 0) return restored
      restored += step
    } catch (error) {
      // One of them was registered meanwhile: the next try leaves it out.
      if (!isDuplicate(error) || ++refused === TRIES) throw error
    }
  }
}

export type Restored = GoneCount & { restored: number }

/** Oldest removal first, up to 10,000 a call (ADR 5); 409 when one of them registers at this moment. */
export async function restoreRemoved(
  { tx, now, audit }: Work,
  { isDryRun, ...filter }: GoneFilter & { isDryRun: boolean },
): Promise<Restored> {
  return withPlans(tx, 'by index', async () => {
    const restored = isDryRun ? 0 : await restore(tx, filter, now())
    if (!isDryRun) {
      await audit({ action: 'devices.restore', entity: 'device', change: { after: { ...filter, restored } } })
    }
    return { restored, ...(await countGone(tx, filter)) }
  })
}

async function restore(tx: Tx, filter: GoneFilter, now: Date): Promise<number> {
  try {
    return await restoreGone(tx, filter, now, RESTORED_A_STEP)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw errors.conflict('One of these phones is being registered at the moment. Try again.')
  }
}
