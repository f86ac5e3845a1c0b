import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/connect.ts'
import { createSemaphore, type Semaphore } from '../../platform/concurrency/semaphore.ts'
import { EXPO_TOKENS } from './expo/expo-tokens.ts'
import { createExpoProvider } from './expo/expo.ts'
import { addProviders } from './provider-state.queries.ts'
import type { Provider, PushAddress } from './provider.ts'
import { createPlatformGuard, createRemovalGuard, type PlatformGuard, type RemovalGuard } from './removal-guard.ts'
import { createSendGate, type SendGate } from './send-gate.ts'

export type CreateProvider = (config: Config) => Provider

/** `tokens`: the forms of its push tokens, which the log leaves out. `address` and `secret`: the settings of these. */
export type Registered = {
  create: CreateProvider
  tokens: readonly RegExp[]
  address: Extract<keyof Config, `${string}_BASE_URL`>
  secret: keyof Config
}

const EXPO: Registered = {
  create: createExpoProvider,
  tokens: EXPO_TOKENS,
  address: 'EXPO_BASE_URL',
  secret: 'EXPO_ACCESS_TOKEN',
}

/** The providers of one setting work together. `GET /api/admin/push-status` shows the first one outside its list. */
export const REGISTRY: Record<Config['PUSH_PROVIDER'], readonly [Registered, ...Registered[]]> = {
  simulator: [EXPO],
  expo: [EXPO],
}

/** They include providers that are not in use, because their phones may still be stored. */
export const TOKEN_FORMS = [...new Set(Object.values(REGISTRY).flat())].flatMap(({ tokens }) => tokens)

export type ProviderInUse = {
  provider: Provider
  permits: Semaphore
  removalGuard: RemovalGuard
  platformGuard: PlatformGuard
  gate: SendGate
}

export type Providers = readonly [ProviderInUse, ...ProviderInUse[]]

export async function openProviders(
  db: Db,
  config: Config,
  registry: readonly CreateProvider[] = REGISTRY[config.PUSH_PROVIDER].map(({ create }) => create),
): Promise<Providers> {
  const [first, ...others] = registry.map((create): ProviderInUse => {
    const provider = create(config)
    const permits = createSemaphore(config.PUSH_CONCURRENCY)
    const { name } = provider
    const guards = { removalGuard: createRemovalGuard(db, name), platformGuard: createPlatformGuard(db, name) }
    return { provider, permits, ...guards, gate: createSendGate(db, name) }
  })
  if (first === undefined) throw new Error('The registry of providers is empty.')
  const providers: Providers = [first, ...others]
  await addProviders(db, listNames(providers))
  return providers
}

export function listNames(providers: Providers): string[] {
  return providers.map(({ provider }) => provider.name)
}

export function findOwner(providers: Providers, address: PushAddress): string | undefined {
  return providers.find(({ provider }) => provider.owns(address))?.provider.name
}
