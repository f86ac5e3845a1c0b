import { SETTINGS } from './settings.ts'

export type Config = { readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['fallback'] }

export function configWith(overrides: Partial<Config>): Config {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.fallback]))
  return Object.freeze({ ...defaults, ...overrides }) as Config
}

export function describeSettings(): { name: string; fallback: string; doc: string }[] {
  return Object.entries(SETTINGS).map(([name, { fallback, doc }]) => ({ name, fallback: String(fallback), doc }))
}
