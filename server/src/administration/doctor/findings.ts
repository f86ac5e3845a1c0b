/** `warn`: it works, and may not for long. `says`: what to do, in a sentence. */
export type Finding = { check: string; level: 'ok' | 'warn' | 'fail'; says: string }

type Case = [level: Finding['level'], applies: boolean, says: string]

/** The first case that applies; when none does, `ok` with `otherwise`. */
export function firstOf(check: string, cases: Case[], otherwise: string): Finding {
  const [level = 'ok', , says = otherwise] = cases.find(([, applies]) => applies) ?? []
  return { check, level, says }
}

export function linesOf(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings.map(({ check, level, says }) => `${level.padEnd(4)}  ${check.padEnd(width)}  ${says}`).join('\n')
}
