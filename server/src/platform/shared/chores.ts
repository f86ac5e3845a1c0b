import type { Log } from './log.ts'

export type Chores = Record<string, () => Promise<unknown>>

/** Runs all one after the other, also after a failure. Throws at the end with the names of the failed ones. */
export async function runChores(
  log: Log,
  chores: Chores,
  ran: (chore: string, hasFailed: boolean) => void = () => undefined,
): Promise<void> {
  const failed: string[] = []
  for (const [chore, run] of Object.entries(chores)) {
    try {
      await run()
      ran(chore, false)
    } catch (error) {
      log.error({ err: error, chore }, 'a chore failed; the others continue')
      failed.push(chore)
      ran(chore, true)
    }
  }
  if (failed.length > 0) throw new Error(`These chores failed: ${failed.join(', ')}.`)
}
