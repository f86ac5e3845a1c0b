/** `warn`: it works now, and may not for long. `says`: a sentence with what to do. */
export type Finding = { check: string; level: 'ok' | 'warn' | 'fail'; says: string }

export function ok(check: string, says: string): Finding {
  return { check, level: 'ok', says }
}

export function warn(check: string, says: string): Finding {
  return { check, level: 'warn', says }
}

export function fail(check: string, says: string): Finding {
  return { check, level: 'fail', says }
}

export function formatFindings(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings.map(({ check, level, says }) => `${level.padEnd(4)}  ${check.padEnd(width)}  ${says}`).join('\n')
}
