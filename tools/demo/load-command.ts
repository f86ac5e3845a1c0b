import type { Deps } from '../../server/src/deps.ts'
import { generateLoad, type LoadProgress } from './generate-load.ts'

const TELL_EVERY_MS = 5_000

/** `manage generate-load --users 1000000 --activity 10000000`: fills an empty database for measuring. */
export async function runGenerateLoad(
  deps: Deps,
  options: Record<string, unknown>,
): Promise<{ text: string; isGood: boolean }> {
  const [users, activity] = [parseCount(options['users']), parseCount(options['activity'])]
  if (!isCount(users, 10_000_000) || !isCount(activity, 200_000_000))
    return { text: 'Say how much: --users (1 to 10000000) and --activity rows (1 to 200000000).', isGood: false }
  const report = await generateLoad(deps, { users, activity }, createTeller())
  if ('refused' in report) return { text: report.refused, isGood: false }
  const rows = Object.entries(report.rows).map(([table, count]) => `  ${table.padEnd(20)} ${count}`)
  const what = report.isResumed
    ? 'An earlier load was interrupted; the rest of it took'
    : `${report.activity} rows of activity in`
  return { text: [`${what} ${report.seconds} s:`, ...rows].join('\n'), isGood: true }
}

/** Writes how far a load is to the terminal, every few seconds. */
function createTeller(): (progress: LoadProgress) => void {
  const startedAt = performance.now()
  let toldAt = startedAt
  return (progress) => {
    const now = performance.now()
    if (now - toldAt < TELL_EVERY_MS) return
    toldAt = now
    process.stderr.write(`${progressLine(progress, (now - startedAt) / 1_000)}\n`)
  }
}

/** What is done of a load that began `seconds` ago, and the time left if the rest goes on like that. */
export function progressLine({ step, done }: LoadProgress, seconds: number): string {
  const left = Math.round((seconds / done) * (1 - done))
  const time = left < 60 ? `${left} s` : `${Math.round(left / 60)} min`
  return `${Math.floor(done * 100)} % done, about ${time} left: ${step}`
}

function parseCount(value: unknown): number {
  return typeof value === 'string' ? Number(value) : NaN
}

function isCount(value: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= most
}
