import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import {
  findHandHalt,
  findProviderState,
  type HaltedBy,
  type ProviderState,
} from '../provider/provider-state.queries.ts'
import type { Provider } from '../provider/provider.ts'
import { listAlerts, type Alert } from '../records/alerts.queries.ts'
import { findQueues, type Queues } from './queues.queries.ts'

const ALERTS = 50

/** `halt`: who halted it by hand. */
export type ProviderStatus = { provider: Provider; state: ProviderState; halt: HaltedBy | undefined }

/** Providers as in the registry, open alerts first; `queues` undefined: the database could not count in time. */
export type PushStatus = {
  ratePerSecond: number
  providers: [ProviderStatus, ...ProviderStatus[]]
  alerts: Alert[]
  queues: Queues | undefined
}

export async function pushStatus({
  db,
  pool,
  clock,
  config,
  providers: [first, ...others],
}: Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'providers'>): Promise<PushStatus> {
  const statusOf = async ({ provider }: { provider: Provider }) => ({
    provider,
    state: await findProviderState(db, provider.name),
    halt: await findHandHalt(db, provider.name),
  })
  const [ofFirst, ofOthers, alerts, queues] = await Promise.all([
    statusOf(first),
    Promise.all(others.map(statusOf)),
    listAlerts(db, ALERTS),
    findQueues({ db, pool }, { now: fromNow(clock) }),
  ])
  return { ratePerSecond: config.PUSH_RATE_PER_SECOND, providers: [ofFirst, ...ofOthers], alerts, queues }
}
