import type { Semaphore } from '../../src/platform/concurrency/semaphore.ts'

/** Takes this many places, at once where they are free, until they are given back. */
export function holdPermits(permits: Semaphore, count: number): () => void {
  const held = Promise.withResolvers<void>()
  for (let n = 0; n < count; n++) void permits.run(() => held.promise)
  return held.resolve
}
