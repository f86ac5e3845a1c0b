import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/connect.ts'
import { createSemaphore, type Semaphore } from '../../platform/shared/semaphore.ts'
import { createExpoProvider } from './expo/expo.ts'
import { addProviders } from './provider-state.queries.ts'
import type { Provider } from './provider.ts'
import { createRemovalGuard, type RemovalGuard } from './removal-guard.ts'
import { createSendGate, type SendGate } from './send-gate.ts'

/** The providers of the service, the first of which `GET /api/admin/push-status` shows outside its list. */
const REGISTRY = [createExpoProvider] satisfies CreateProvider[]

/** Makes a provider from the settings. Two of one name cannot work. */
export type CreateProvider = (config: Config) => Provider

/** A provider, and what this process keeps of its own for it. */
export type ProviderInUse = { provider: Provider; slots: Semaphore; removalGuard: RemovalGuard; gate: SendGate }

/** The providers in use, by the order of the registry; there is at least one. */
export type Providers = readonly [ProviderInUse, ...ProviderInUse[]]

/** Makes the providers of a registry, and gives each its row in the database. */
export async function openProviders(
  db: Db,
  config: Config,
  registry: readonly CreateProvider[] = REGISTRY,
): Promise<Providers> {
  const [first, ...others] = registry.map((create): ProviderInUse => {
    const provider = create(config)
    const slots = createSemaphore(config.PUSH_CONCURRENCY)
    const { name } = provider
    return { provider, slots, removalGuard: createRemovalGuard(db, name), gate: createSendGate(db, name) }
  })
  if (first === undefined) throw new Error('The registry of providers is empty.')
  const providers: Providers = [first, ...others]
  await addProviders(db, namesOf(providers))
  return providers
}

export function namesOf(providers: Providers): string[] {
  return providers.map(({ provider }) => provider.name)
}

/** The provider whose form a push token has; undefined when none has it. */
export function ownerOf(providers: Providers, token: string): string | undefined {
  return providers.find(({ provider }) => provider.ownsToken(token))?.provider.name
}
