import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
// Everything takes a multiple of its time on a busy machine; this only ends what hangs.
const HANGS_MS = 300_000

/** Waits until `holds`; after `withinMs`, and some minutes at least, throws an error that names `what`. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = performance.now() + Math.max(withinMs, HANGS_MS)
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`after minutes this was still not so: ${what}`)
    await sleep(POLL_MS)
  }
}

/** Asks until there is an answer; the last refusal is thrown once `hasEnded`, or after some minutes. */
export async function untilItAnswers(
  ask: () => Promise<unknown>,
  hasEnded: () => boolean = () => false,
): Promise<void> {
  const giveUpAt = performance.now() + HANGS_MS
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (hasEnded() || performance.now() > giveUpAt) throw error
      await sleep(POLL_MS)
    }
  }
}
