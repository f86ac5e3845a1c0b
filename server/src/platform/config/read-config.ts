import type { Config } from './config.ts'
import { SETTINGS } from './settings.ts'
import { unsafeSettings } from './unsafe.ts'

/** Each fault is a sentence that names its variable and never its value. */
export function readConfig(env: Record<string, string | undefined>): { config: Config } | { faults: string[] } {
  const { config, faults } = readSettings(env)
  return faults.length > 0 ? { faults } : { config }
}

export function readSettings(env: Record<string, string | undefined>): { config: Config; faults: string[] } {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const raw = env[name]
    try {
      values[name] = raw === undefined || raw === '' ? setting.fallback : setting.read(raw.trim())
    } catch (error) {
      values[name] = setting.fallback
      faults.push(`${name} ${(error as Error).message}`)
    }
  }
  const config = Object.freeze(values) as Config
  // An unreadable setting has its default here, so that unsafe settings are still found.
  return { config, faults: [...faults, ...unsafeSettings(config)] }
}
