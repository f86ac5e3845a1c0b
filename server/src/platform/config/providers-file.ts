import { readFileSync } from 'node:fs'
import { errorCode } from '../shared/errors.ts'
import { isRecord } from '../shared/json.ts'
import { readJsonFile, type Environment, type Setting } from './readers.ts'

/** `texts`: the contents of the files and variables that its settings name, by the names of these settings. */
export type ProviderEntry = { settings: Record<string, unknown>; texts: Readonly<Record<string, string>> }

/** The entries of a file; what they must say is for their kinds to check. */
export function providersFile(doc: string): Setting<ProviderEntry[]> {
  return { doc, fallback: [], read: readProvidersFile }
}

function readProvidersFile(path: string, env: Environment): ProviderEntry[] {
  const content = readJsonFile(path)
  const { providers, ...others } = isRecord(content) ? content : {}
  if (!Array.isArray(providers) || Object.keys(others).length > 0)
    throw new Error('must be a JSON object with the list "providers" alone.')
  return providers.map((settings: unknown, index) => {
    if (!isRecord(settings)) throw new Error(`must have objects as providers; the one at ${index} is none.`)
    const named = Object.entries(settings).filter((one): one is [string, string] => typeof one[1] === 'string')
    const texts = named.flatMap(([name, value]) => {
      const where = `has the provider at ${index} whose ${name}`
      if (name.endsWith('_file')) return [[name, readText(value, where)] as const]
      return name.endsWith('_variable') ? [[name, readVariable(env, value, where)] as const] : []
    })
    return { settings, texts: Object.fromEntries(texts) }
  })
}

// The sentences of both do not repeat what the entry says: it may be the key itself, put there by mistake.
function readText(path: string, where: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${where} cannot be read: ${errorCode(error)}.`, { cause: error })
  }
}

function readVariable(env: Environment, name: string, where: string): string {
  const value = env[name]?.trim() ?? ''
  if (value === '') throw new Error(`${where} names a variable that is not set.`)
  return value
}
