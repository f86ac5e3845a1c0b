import type { Answer } from './faults.ts'

/** How many answers have each status. */
export function countOf(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}
