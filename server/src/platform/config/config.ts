import { toText, type Setting, type Value } from './readers.ts'
import { SETTINGS } from './settings.ts'

export type Config = { readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['fallback'] }

export function configWith(overrides: Partial<Config>): Config {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.fallback]))
  return Object.freeze({ ...defaults, ...overrides }) as Config
}

export function describeSettings(settings: Record<string, Setting<Value>> = SETTINGS) {
  return Object.entries(settings).map(([name, { fallback, doc }]) => ({ name, fallback: toText(fallback), doc }))
}
