import { errors } from '../shared/errors.ts'

export type Semaphore = {
  /** An urgent one goes before all that are not. 503 when too many wait. */
  take(wish?: { isUrgent: boolean }): Promise<() => void>
}

export function createSemaphore(size: number, maxWaiting = Infinity): Semaphore {
  const urgent: (() => void)[] = []
  const others: (() => void)[] = []
  let free = size
  const give = () => {
    const next = urgent.shift() ?? others.shift()
    if (next) next()
    else free++
  }
  return {
    take: async ({ isUrgent } = { isUrgent: false }) => {
      if (free > 0) free--
      else {
        if (urgent.length + others.length >= maxWaiting) throw errors.unavailable(1)
        await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve))
      }
      return give
    },
  }
}
