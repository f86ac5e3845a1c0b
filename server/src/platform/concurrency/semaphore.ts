import { errors } from '../shared/errors.ts'

export type Semaphore = {
  /** Gives a function that gives the place back. Urgent tasks go before all others. 503 when too many wait. */
  take(wish?: Wish): Promise<() => void>
  /** Takes a place for as long as the work lasts. */
  run<T>(work: () => Promise<T>, wish?: Wish): Promise<T>
}

type Wish = { isUrgent: boolean }

export function createSemaphore(size: number, maxWaiting = Infinity): Semaphore {
  const urgent: (() => void)[] = []
  const others: (() => void)[] = []
  let free = size
  const give = () => {
    const next = urgent.shift() ?? others.shift()
    if (next) next()
    else free++
  }
  const take: Semaphore['take'] = async ({ isUrgent } = { isUrgent: false }) => {
    if (free > 0) free--
    else {
      if (urgent.length + others.length >= maxWaiting) throw errors.unavailable(1)
      await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve))
    }
    return give
  }
  return {
    take,
    run: async (work, wish) => {
      const release = await take(wish)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
