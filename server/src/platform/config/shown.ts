import type { Config } from './config.ts'
import { toText } from './readers.ts'
import { SETTINGS } from './settings.ts'

/** Every other text is hidden, so that a new secret is hidden from the start. */
const PLAIN: readonly string[] = [
  'HOST',
  'ACCEPTED_RISKS',
  'LIMITS_FILE',
  'ALLOWED_HOSTS',
  'EXPO_BASE_URL',
  'FIREBASE_DATABASE_URL',
  'LINK_SCHEMES',
  'RATE_LIMIT_OVERRIDES',
  'TRUSTED_PROXIES',
  'CORS_ORIGINS',
] satisfies (keyof Config)[]

export type DisplayedSetting = {
  name: string
  doc: string
  value: string | null
  fallback: string
  is_changed: boolean
}

export function listSettings(config: Config): DisplayedSetting[] {
  return Object.entries(SETTINGS).map(([name, { doc, fallback, isChoice }]) => {
    const value = toText(config[name as keyof Config])
    const isPlain = isChoice === true || typeof fallback === 'number' || PLAIN.includes(name)
    return {
      name,
      doc,
      value: isPlain ? value : null,
      fallback: toText(fallback),
      is_changed: value !== toText(fallback),
    }
  })
}
