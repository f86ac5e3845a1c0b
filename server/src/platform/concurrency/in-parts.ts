import { sleep } from '../shared/clock.ts'

const PART_MS = 1_000

/**
 * Gives `take` all results at once; where one is late, once a second those that have come, so that it delays no other.
 * Never calls `take` twice at a time. Fails with the first call that fails.
 */
export async function inParts<Result>(
  calls: readonly Promise<Result>[],
  take: (part: Result[]) => Promise<unknown>,
  partMs = PART_MS,
): Promise<void> {
  let part: Result[] = []
  let isEnded = false
  const ended = new AbortController()
  const come = async (call: Promise<Result>) => {
    const result = await call
    part.push(result)
  }
  const all = Promise.all(calls.map(come)).finally(() => {
    isEnded = true
    ended.abort()
  })
  all.catch(() => undefined)
  for (let isLast = false; !isLast;) {
    await sleep(partMs, ended.signal)
    isLast = isEnded
    const taken = part
    part = []
    if (taken.length > 0) await take(taken)
  }
  await all
}
