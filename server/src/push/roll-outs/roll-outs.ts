import type { PushDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { hasFallback } from '../provider/owners.ts'
import type { Providers } from '../provider/registry.ts'
import { resolveAlerts } from '../records/alerts.queries.ts'
import { readWayCounts, resetWayCounts, type PairCounts } from '../records/way-counts.queries.ts'
import { isEnough } from './return-rule.ts'
import { countPhones, listRollOuts, lockRollOut, updateRollOut, type RollOut } from './roll-outs.queries.ts'

/** Percents of the phones with two addresses. */
export const SHARES = [0, 1, 10, 50, 100] as const
export type Share = (typeof SHARES)[number]

/** The code of the alert that a roll-out ended by itself. */
export const RETURNED = 'RollOutReturned'

/** `from`: the provider of the fallbacks. `ways`: the provider's own, then that of the fallbacks. */
export type RollOutState = {
  provider: string
  from: string
  rollOut: (RollOut & { name: string | null }) | undefined
  phones: number
  natively: number
  ways: readonly [PairCounts, PairCounts]
}

type Ground = Pick<PushDeps, 'providers' | 'clock'> & { db: Db | Tx }

/** A state for each provider whose phones may have a fallback, in the order of the registry. */
export async function describeRollOuts({ db, providers, clock }: Ground): Promise<RollOutState[]> {
  const rollOuts = await listRollOuts(db)
  const phones = await countPhones(db, fromNow(clock))
  const counts = await readWayCounts(db)
  const from = providers[0].provider.name
  return listNative(providers).map((provider) => {
    const own = phones.find((one) => one.provider === provider)
    return {
      provider,
      from,
      rollOut: rollOuts.find((one) => one.provider === provider),
      phones: own?.phones ?? 0,
      natively: own?.natively ?? 0,
      ways: [findCounts(counts, provider, from), findCounts(counts, from, provider)],
    }
  })
}

/** Providers whose phones may have a fallback. */
export function listNative(providers: Providers): string[] {
  return providers.flatMap(({ provider }) => (hasFallback(providers, provider) ? [provider.name] : []))
}

/** Gives the counts of copies by `provider` for phones whose other address is of `other`. */
export function findCounts(counts: readonly PairCounts[], provider: string, other: string): PairCounts {
  const found = counts.find((one) => one.provider === provider && one.other === other)
  return found ?? { provider, other, accepted: 0, refused: 0, gone: 0, opened: 0 }
}

/** The share holds from the next decision on; what waits stays with its provider. Both ways are counted anew. */
export async function changeShare(
  work: Work,
  providers: Providers,
  { provider, share }: { provider: string; share: Share },
): Promise<void> {
  if (!listNative(providers).includes(provider)) throw errors.notFound('This provider')
  const { tx, now, audit } = work
  const from = providers[0].provider.name
  const before = await lockRollOut(tx, provider, now())
  const { accepted, gone } = findCounts(await readWayCounts(tx), from, provider)
  const earlier = isEnough({ accepted, gone }) ? { earlier_accepted: accepted, earlier_gone: gone } : {}
  const change = { share, changed_at: now(), changed_by: callerId(work), returned_at: null }
  await updateRollOut(tx, provider, { ...change, ...earlier })
  await resetWayCounts(tx, [provider, from])
  await resolveAlerts(tx, { provider, code: RETURNED }, now())
  const shares = { before: { provider, share: before.share }, after: { provider, share }, subjectId: null }
  await audit({ action: 'roll-out.change', entity: 'roll-out', change: shares })
}
