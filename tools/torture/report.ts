import type { Missing } from './environment.ts'
import type { Finding, Scenario } from './scenario.ts'

/** A finding as lines of text. */
export function describeFinding(scenario: Scenario, finding: Finding | Missing, seconds: number): string {
  if ('missing' in finding) return `SKIPPED ${scenario.name}: ${scenario.about}\n         ${finding.missing}`
  const { figures, faults, notes } = finding
  const { skipped, ended, ...numbers } = figures
  const line = Object.entries(numbers)
    .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`)
    .join(', ')
  return [
    `${faults.length === 0 ? 'held  ' : 'BROKEN'} ${scenario.name}: ${scenario.about} (${seconds.toFixed(1)} s)`,
    `         ${line}`,
    `         skipped: ${formatList(skipped)}; ended unsent: ${formatList(ended)}`,
    ...notes.map((note) => `         ${note}`),
    ...faults.map((fault) => `       ! ${fault}`),
  ].join('\n')
}

export function formatList(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return parts.length === 0 ? 'none' : parts.join(', ')
}
