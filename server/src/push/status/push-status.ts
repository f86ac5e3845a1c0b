import type { PushDeps } from '../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import {
  findHalts,
  findHandHalt,
  findProviderState,
  type HaltedBy,
  type ProviderState,
} from '../provider/provider-state.queries.ts'
import { listPausedPlatforms } from '../provider/platforms.queries.ts'
import type { Provider } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { listWaits } from '../provider/breaker-rules.ts'
import type { Db } from '../../platform/db/connect.ts'
import { findOpenAlerts, listAlerts, type Alert } from '../records/alerts.queries.ts'
import { findQueues, type Queues, type Waiting } from './queues.queries.ts'
import { findRecent, type Recent } from './recent.queries.ts'

const ALERTS = 50
const RECENT_MS = 5 * 60_000
const NO_ANSWERS = { lastSuccess: null, requests: 0, failed: [] }
const NOTHING = { copies: 0, nextAt: null }

/** `halt`: who halted it by hand. `recent`, `waiting` undefined: the database could not tell in time. */
export type ProviderStatus = {
  provider: Provider
  ratePerSecond: number
  state: ProviderState
  halt: HaltedBy | undefined
  /** Why nothing leaves, or nothing to a platform. */
  waits: ReturnType<typeof listWaits>
  recent: Omit<Recent, 'provider'> | undefined
  waiting: Omit<Waiting, 'provider'> | undefined
}

/** Providers as in the registry, open alerts first; `queues` undefined: the database could not count in time. */
export type PushStatus = {
  providers: [ProviderStatus, ...ProviderStatus[]]
  alerts: Alert[]
  queues: Queues | undefined
}

export async function pushStatus({ db, pool, clock, providers: [first, ...others] }: PushDeps): Promise<PushStatus> {
  const [answers, queues, alerts] = await Promise.all([
    findRecent({ db, pool }, fromNow(clock, -RECENT_MS)),
    findQueues({ db, pool }, { now: fromNow(clock) }),
    listAlerts(db, ALERTS),
  ])
  const readStatus = async ({ provider, instance: { ratePerSecond } }: ProviderInUse) => {
    const [state, paused, halt] = await Promise.all([
      findProviderState(db, provider.name),
      listPausedPlatforms(db, provider.name),
      findHandHalt(db, provider.name),
    ])
    return {
      provider,
      ratePerSecond,
      state,
      waits: listWaits(state, paused, fromNow(clock)),
      halt,
      recent: answers?.find((recent) => recent.provider === provider.name) ?? (answers && NO_ANSWERS),
      waiting: queues?.waiting.find((one) => one.provider === provider.name) ?? (queues && NOTHING),
    }
  }
  const [ofFirst, ofOthers] = await Promise.all([readStatus(first), Promise.all(others.map(readStatus))])
  return { providers: [ofFirst, ...ofOthers], alerts, queues }
}

type Trouble = { count: number; oldest: Date | undefined; newest: Date | undefined }

/** What keeps pushes from being sent until a person acts, and what somebody should look at. */
export async function pushTroubles(db: Db): Promise<{ halts: Trouble; alerts: Trouble }> {
  const [halts, alerts] = await Promise.all([findHalts(db), findOpenAlerts(db)])
  return { halts: toTrouble(halts), alerts: toTrouble(alerts) }
}

function toTrouble(since: Date[]): Trouble {
  const inOrder = since.toSorted((a, b) => a.getTime() - b.getTime())
  return { count: since.length, oldest: inOrder[0], newest: inOrder.at(-1) }
}
