import { errors } from '../shared/errors.ts'

export type Semaphore = {
  /** Takes a place for as long as the work lasts. Urgent work goes before all other. 503 when too many wait. */
  run<T>(work: () => Promise<T>, wish?: { isUrgent: boolean }): Promise<T>
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
    run: async (work, { isUrgent } = { isUrgent: false }) => {
      if (free > 0) free--
      else {
        if (urgent.length + others.length >= maxWaiting) throw errors.unavailable(1)
        await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve))
      }
      try {
        return await work()
      } finally {
        give()
      }
    },
  }
}
