import type { Deps } from '../../deps.ts'
import {
  findHandHalt,
  findProviderState,
  type HaltedBy,
  type ProviderState,
} from '../provider/provider-state.queries.ts'
import type { Provider } from '../provider/provider.ts'
import { listAlerts, type Alert } from '../records/alerts.queries.ts'

const ALERTS = 50

/** Whether pushes leave by a provider, since when and why not; `halt`: who halted it by hand. */
export type ProviderStatus = { provider: Provider; state: ProviderState; halt: HaltedBy | undefined }

/** The providers in the order of the registry, and what administrators should know: open alerts first. */
export type PushStatus = { ratePerSecond: number; providers: [ProviderStatus, ...ProviderStatus[]]; alerts: Alert[] }

export async function pushStatus({
  db,
  config,
  providers: [first, ...others],
}: Pick<Deps, 'db' | 'config' | 'providers'>): Promise<PushStatus> {
  const statusOf = async ({ provider }: { provider: Provider }) => ({
    provider,
    state: await findProviderState(db, provider.name),
    halt: await findHandHalt(db, provider.name),
  })
  const [ofFirst, ofOthers, alerts] = await Promise.all([
    statusOf(first),
    Promise.all(others.map(statusOf)),
    listAlerts(db, ALERTS),
  ])
  return { ratePerSecond: config.PUSH_RATE_PER_SECOND, providers: [ofFirst, ...ofOthers], alerts }
}
