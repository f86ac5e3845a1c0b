const SYSTEMS: [sign: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
  ['iOS', 'iPhone or iPad'],
  ['CFNetwork', 'iPhone or iPad'],
  ['okhttp', 'Android'],
]
// The first match decides, because browsers name each other in the User-Agent.
const PROGRAMS: [sign: string, name: string][] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
]

/** Such as `Firefox on Linux`; null when unknown. Nothing else of a User-Agent is stored. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const find = (signs: typeof SYSTEMS) => signs.find(([sign]) => userAgent.includes(sign))?.[1]
  const [system, program] = [find(SYSTEMS), find(PROGRAMS)]
  if (program !== undefined) return system === undefined ? program : `${program} on ${system}`
  return system === undefined ? null : `App on ${system}`
}
