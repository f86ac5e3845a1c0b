import type { Deps } from '../../server/src/deps.ts'
import { generateLoad } from './generate-load.ts'

/** `manage generate-load --users 1000000 --activity 10000000`: fills an empty database for measuring. */
export async function runGenerateLoad(
  deps: Deps,
  options: Record<string, unknown>,
): Promise<{ text: string; isGood: boolean }> {
  const [users, activity] = [countOf(options['users']), countOf(options['activity'])]
  if (!isCount(users, 10_000_000) || !isCount(activity, 200_000_000))
    return { text: 'Say how much: --users (1 to 10000000) and --activity rows (1 to 200000000).', isGood: false }
  const report = await generateLoad(deps, { users, activity }, (done) => process.stderr.write(`Done: ${done}\n`))
  if ('refused' in report) return { text: report.refused, isGood: false }
  const rows = Object.entries(report.rows).map(([table, count]) => `  ${table.padEnd(20)} ${count}`)
  return { text: [`${report.activity} rows of activity in ${report.seconds} s:`, ...rows].join('\n'), isGood: true }
}

function countOf(value: unknown): number {
  return typeof value === 'string' ? Number(value) : NaN
}

function isCount(value: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= most
}
