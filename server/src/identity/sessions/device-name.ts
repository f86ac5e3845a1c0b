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
// The first sign that is found decides: browsers name one another.
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

/**
 * A few words by which a person knows a device of theirs again, such as `Firefox on Linux`, from its User-Agent; null
 * when it says nothing that we know. No more than this is kept of it.
 */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const find = (signs: typeof SYSTEMS) => signs.find(([sign]) => userAgent.includes(sign))?.[1]
  const [system, program] = [find(SYSTEMS), find(PROGRAMS)]
  if (program !== undefined) return system === undefined ? program : `${program} on ${system}`
  return system === undefined ? null : `App on ${system}`
}
