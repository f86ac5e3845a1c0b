import type { PushDeps } from '../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { raiseAlert, resolveQuietAlert } from '../records/alerts.queries.ts'

/** Work of a batch, and how often it came back: failures before a request, or requests of which nothing is known. */
export type CameBack = { messageId: number; batchId: number; times: number }

const TIMES = 3
const MOST_DOUBLINGS = 6
const QUIET_MS = 3_600_000
const NAMED = 5

const COMES_BACK = 'WorkComesBack'

/** The usual wait, and from the third time on twice as long each time: other work goes first. */
export function delayOf(times: number, delaySeconds: number): number {
  return delaySeconds * 1_000 * 2 ** Math.min(Math.max(times - TIMES + 1, 0), MOST_DOUBLINGS)
}

/** From the third time on administrators are told which it is. */
export async function noteComingBack(
  { db, clock, log }: Pick<PushDeps, 'db' | 'clock' | 'log'>,
  work: readonly CameBack[],
): Promise<void> {
  const often = work.filter(({ times }) => times >= TIMES)
  if (often.length === 0) return
  log.error({ work: often }, 'work comes back again and again')
  await raiseAlert(db, { code: COMES_BACK, detail: detailOf(often) }, fromNow(clock))
}

/** An hour after the last time. */
export async function endComingBack({ db, clock }: Pick<PushDeps, 'db' | 'clock'>): Promise<void> {
  await resolveQuietAlert(db, COMES_BACK, { before: fromNow(clock, -QUIET_MS), now: fromNow(clock) })
}

function detailOf(often: readonly CameBack[]): string {
  const named = often.slice(0, NAMED).map(({ messageId, batchId }) => `batch ${batchId} of message ${messageId}`)
  const rest = often.length > NAMED ? ` and ${often.length - NAMED} more` : ''
  const times = Math.max(...often.map((one) => one.times))
  return (
    `Work has come back ${times} times without progress: ${named.join(', ')}${rest}. Each time it waits longer, ` +
    'so that other work goes first, and after the last try it is given up. The log of the workers says why.'
  )
}
