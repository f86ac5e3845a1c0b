import type { Log } from './log.ts'

export type Chores = Record<string, () => Promise<unknown>>

/** One after the other, each whether or not those before failed. Throws at the end with the names of those that did. */
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
