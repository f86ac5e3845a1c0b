import type { PushDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { hasFallback } from '../provider/owners.ts'
import type { Providers } from '../provider/registry.ts'
import { resolveAlerts } from '../records/alerts.queries.ts'
import { readWayCounts, resetWayCounts, type PairCounts } from '../records/way-counts.queries.ts'
import { isEnough } from './return-rule.ts'
import type { CountedPhones, CountPhones } from './phone-counts.ts'
import { listRollOuts, lockRollOut, updateRollOut, type RollOut } from './roll-outs.queries.ts'

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
  countedAt: Date
  ways: readonly [PairCounts, PairCounts]
}

type Ground = Pick<PushDeps, 'providers'> & { db: Db | Tx; countPhones: CountPhones }

/** A state for each provider whose phones may have a fallback, in the order of the registry. */
export async function describeRollOuts({ db, providers, countPhones }: Ground): Promise<RollOutState[]> {
  const rollOuts = await listRollOuts(db)
  const counted = await countPhones()
  const counts = await readWayCounts(db)
  const from = providers[0].provider.name
  return listNative(providers).map((provider) => {
    const rollOut = rollOuts.find((one) => one.provider === provider)
    return {
      provider,
      from,
      rollOut,
      phones: sumBelow(counted, provider, 100),
      natively: sumBelow(counted, provider, rollOut?.share ?? 0),
      countedAt: counted.at,
      ways: [findCounts(counts, provider, from), findCounts(counts, from, provider)],
    }
  })
}

/** The phones of a provider whose place is below a share. */
function sumBelow({ counts }: CountedPhones, provider: string, share: number): number {
  const own = counts.filter((one) => one.provider === provider && one.place < share)
  return own.reduce((sum, { phones }) => sum + phones, 0)
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
