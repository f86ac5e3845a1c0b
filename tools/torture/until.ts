import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20

/** Waits until `holds`; after `withinMs` throws an error that names `what`. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`after ${withinMs} ms this was still not so: ${what}`)
    await sleep(POLL_MS)
  }
}
