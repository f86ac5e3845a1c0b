import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/connect.ts'
import { createSemaphore, type Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { Clock } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import { APNS } from './apns/apns.ts'
import { readEntries, type Instance } from './configured-providers.ts'
import { EXPO_TOKENS } from './expo/expo-tokens.ts'
import { createExpoProvider } from './expo/expo.ts'
import { FCM } from './fcm/fcm.ts'
import { createGoneGuard, type GoneGuard } from './gone-guard.ts'
import { createPlatformGuard, type PlatformGuard } from './platform-guard.ts'
import { addProviders } from './provider-state.queries.ts'
import type { Kind, Provider } from './provider.ts'
import { createSendGate, type SendGate } from './send-gate.ts'
import { createShareToken } from './share-token.ts'
import { WEB_PUSH } from './web-push/web-push.ts'

/** A line for each kind that PUSH_PROVIDERS_FILE may name. */
export const KINDS: readonly Kind<never>[] = [APNS, FCM, WEB_PUSH]

/** They include kinds that are not in use, because their phones may still be stored. */
export const TOKEN_FORMS = [EXPO_TOKENS, ...KINDS.map(({ tokens }) => tokens)].flat()

/** Expo's service, or the simulator in its place; the other providers work beside it. */
export function describeExpo(config: Config): Instance {
  return {
    name: 'expo',
    place: config.EXPO_BASE_URL,
    placeSetting: 'EXPO_BASE_URL',
    key: 'EXPO_ACCESS_TOKEN',
    tokenType: 'expo',
    app: null,
    environment: null,
    ratePerSecond: config.PUSH_RATE_PER_SECOND,
    shares: { kind: 'expo', key: config.EXPO_ACCESS_TOKEN },
    create: () => createExpoProvider(config),
  }
}

export type ListInstances = (config: Config) => readonly Instance[]

/** `GET /api/admin/push-status` shows the first one outside its list. */
export function listInstances(config: Config): Instance[] {
  return [describeExpo(config), ...readEntries(config, KINDS).instances]
}

export function findProviderFaults(config: Config): string[] {
  return readEntries(config, KINDS).faults
}

export type ProviderInUse = {
  provider: Provider
  instance: Instance
  permits: Semaphore
  goneGuard: GoneGuard
  platformGuard: PlatformGuard
  gate: SendGate
}

export type Providers = readonly [ProviderInUse, ...ProviderInUse[]]

type Ground = { db: Db; clock: Clock; log: Log; config: Config }

export async function openProviders(ground: Ground, list: ListInstances = listInstances): Promise<Providers> {
  const { db, config } = ground
  const [first, ...others] = list(config).map((instance): ProviderInUse => {
    const { name } = instance
    const provider = createProvider(ground, instance)
    return {
      provider,
      instance,
      permits: createSemaphore(config.PUSH_CONCURRENCY),
      goneGuard: createGoneGuard(db, name),
      platformGuard: createPlatformGuard(db, provider),
      gate: createSendGate(db, name),
    }
  })
  if (first === undefined) throw new Error('The registry of providers is empty.')
  const providers: Providers = [first, ...others]
  await addProviders(db, listNames(providers))
  return providers
}

function createProvider({ db, clock, log, config }: Ground, { create, shares }: Instance): Provider {
  const share = createShareToken({ db, clock, config }, shares)
  return create({ timeoutMs: config.PUSH_TIMEOUT_SECONDS * 1_000, log, clock, share })
}

export function listNames(providers: Providers): string[] {
  return providers.map(({ provider }) => provider.name)
}
