import { isRecord } from '../shared/json.ts'
import type { Config } from './config.ts'
import { readJsonFile, type Environment, type Setting } from './readers.ts'
import { FILE_LIMITS, VARIABLES } from './settings.ts'
import { unsafeSettings } from './unsafe.ts'

/** Each fault is a sentence that names its variable and never its value. */
export function readConfig(env: Environment): { config: Config } | { faults: string[] } {
  const { config, faults } = readSettings(env)
  return faults.length > 0 ? { faults } : { config }
}

export function readSettings(env: Environment): { config: Config; faults: string[] } {
  const file = readLimits(env['LIMITS_FILE']?.trim())
  const variables = read(VARIABLES, env)
  // The environment wins, so that one limit can be tried without the file.
  const given = Object.fromEntries(Object.keys(FILE_LIMITS).flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const limits = read(FILE_LIMITS, { ...file.texts, ...given })
  const config = Object.freeze({ ...variables.values, ...limits.values }) as Config
  // An unreadable setting has its default here, so that unsafe settings are still found.
  const faults = [...variables.faults, ...file.faults, ...limits.faults, ...unsafeSettings(config)]
  return { config, faults }
}

function read(settings: Record<string, Setting<unknown>>, env: Environment) {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const raw = env[name]?.trim()
    try {
      values[name] = raw === undefined || raw === '' ? setting.fallback : setting.read(raw, env)
    } catch (error) {
      values[name] = setting.fallback
      faults.push(`${name} ${(error as Error).message}`)
    }
  }
  return { values, faults }
}

function readLimits(path = ''): { texts: Record<string, string>; faults: string[] } {
  if (path === '') return { texts: {}, faults: [] }
  try {
    const content = readJsonFile(path)
    if (!isRecord(content)) throw new Error('cannot be read: it is not a JSON object.')
    const texts = Object.fromEntries(Object.entries(content).map(([key, value]) => [key, JSON.stringify(value)]))
    const faults = Object.keys(texts)
      .filter((key) => !Object.hasOwn(FILE_LIMITS, key))
      .map((key) => `LIMITS_FILE has the unknown key ${JSON.stringify(key)}.`)
    return { texts, faults }
  } catch (error) {
    return { texts: {}, faults: [`LIMITS_FILE ${(error as Error).message}`] }
  }
}
