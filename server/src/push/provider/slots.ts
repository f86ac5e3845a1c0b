import type { Lane } from '../../platform/db/tables.ts'

/** The requests that this process may have in flight to a provider; whoever takes one gets the function that gives it back. */
export type Slots = { take(lane: Lane): Promise<() => void> }

/** Makes `size` slots (decision B15). A transactional request that waits goes before every waiting campaign. */
export function createSlots(size: number): Slots {
  const waiting: Record<Lane, (() => void)[]> = { transactional: [], campaign: [] }
  let free = size
  const give = () => {
    const next = waiting.transactional.shift() ?? waiting.campaign.shift()
    if (next) next()
    else free++
  }
  const take = async (lane: Lane) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting[lane].push(resolve))
    return give
  }
  return { take }
}
