import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
// On a busy machine everything takes a multiple of its time; this only ends what hangs.
const HANGS_MS = 300_000

/** Waits until `holds`; after `withinMs`, and some minutes at least, throws an error that names `what`. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = performance.now() + Math.max(withinMs, HANGS_MS)
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`after minutes this was still not so: ${what}`)
    await sleep(POLL_MS)
  }
}
