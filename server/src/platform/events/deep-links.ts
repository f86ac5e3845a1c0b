/** The screens of the app, with their paths. A test compares `docs/deep-links.md` with this table. */
export const SCREENS = {
  notifications: 'notifications',
  swap: 'swaps/{id}',
  swapMessages: 'swaps/{id}/messages',
  matches: 'matches',
  product: 'products/{id}',
  reports: 'reports',
  group: 'groups/{id}',
  groupRequests: 'groups/{id}/requests',
} as const

type Screen = keyof typeof SCREENS
type ScreenOfRecord = {
  [Name in Screen]: (typeof SCREENS)[Name] extends `${string}{id}${string}` ? Name : never
}[Screen]

export type Place = { screen: ScreenOfRecord; id: number } | { screen: Exclude<Screen, ScreenOfRecord> }

export function deepLink({ LINK_SCHEMES }: { LINK_SCHEMES: readonly string[] }, place: Place): string {
  const path = SCREENS[place.screen].replace('{id}', 'id' in place ? String(place.id) : '')
  return `${ownSchemes(LINK_SCHEMES)[0]}://${path}`
}

const SUBJECTS: { [Name in Screen]?: string } = {
  swap: 'swap',
  swapMessages: 'swap',
  product: 'product',
  group: 'group',
  groupRequests: 'group',
}

/** The record of a place, as `swap:7`; null: it is of none. */
export function findSubject(place: Place): string | null {
  const kind = SUBJECTS[place.screen]
  return kind !== undefined && 'id' in place ? `${kind}:${place.id}` : null
}

export function ownSchemes(schemes: readonly string[]): string[] {
  return schemes.filter((scheme) => !isWeb(scheme))
}

export function isWeb(scheme: string): boolean {
  return /^https?$/i.test(scheme)
}
