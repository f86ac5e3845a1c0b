import { sleep } from '../shared/clock.ts'

const PART_MS = 1_000

/** The call may give results before it ends. */
export type Call<Result> = (give: (result: Result) => void) => Promise<unknown>

/**
 * Makes the calls, and gives `take` all results at once; where one is late, once a second those that have come, so that
 * it delays no other. Never calls `take` twice at a time. What fails keeps no other result from being taken; the first
 * failure is thrown at the end.
 */
export async function inParts<Result>(
  calls: readonly Call<Result>[],
  take: (part: Result[]) => Promise<unknown>,
  partMs = PART_MS,
): Promise<void> {
  const failures: unknown[] = []
  const fail = (error: unknown) => failures.push(error)
  let part: Result[] = []
  let isEnded = false
  const ended = new AbortController()
  const give = (result: Result) => void part.push(result)
  const end = () => {
    isEnded = true
    ended.abort()
  }
  const all = Promise.all(calls.map((call) => call(give).catch(fail))).finally(end)
  for (let isLast = false; !isLast;) {
    await sleep(partMs, ended.signal)
    isLast = isEnded
    const taken = part
    part = []
    if (taken.length > 0) await take(taken).catch(fail)
  }
  await all
  if (failures.length > 0) throw failures[0]
}
