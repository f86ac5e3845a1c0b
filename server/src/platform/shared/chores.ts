import type { Log } from './log.ts'

/** Work that is done from time to time, by name. */
export type Chores = Record<string, () => Promise<unknown>>

/**
 * Runs each chore, one after the other and apart from one another: one that fails is logged by its name, and the next runs
 * all the same. Throws at the end when any failed, naming them.
 */
export async function runChores(log: Log, chores: Chores): Promise<void> {
  const failed: string[] = []
  for (const [chore, run] of Object.entries(chores)) {
    try {
      await run()
    } catch (error) {
      log.error({ err: error, chore }, 'a chore failed; the others continue')
      failed.push(chore)
    }
  }
  if (failed.length > 0) throw new Error(`These chores failed: ${failed.join(', ')}.`)
}
