import { readFileSync } from 'node:fs'

export type Environment = Readonly<Record<string, string | undefined>>

/** `read` throws what is wrong with the text; `env` has the variables that it may name. */
export type Setting<T> = { doc: string; fallback: T; read: (raw: string, env: Environment) => T; isChoice?: true }

export function text(doc: string, fallback: string): Setting<string> {
  return { doc, fallback, read: (raw) => raw }
}

export function list(doc: string, fallback: string[]): Setting<string[]> {
  return { doc, fallback, read: readList }
}

function readList(raw: string): string[] {
  return raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function choice<const T extends string>(doc: string, options: [T, ...T[]]): Setting<T> {
  const read = (raw: string): T => {
    const found = options.find((option) => option === raw)
    if (found === undefined) throw new Error(`must be one of: ${options.join(', ')}.`)
    return found
  }
  return { doc, fallback: options[0], read, isChoice: true }
}

export function number(doc: string, fallback: number, minimum: number, maximum: number): Setting<number> {
  const read = (raw: string) => {
    const value = Number(raw)
    if (!Number.isFinite(value) || value < minimum || value > maximum)
      throw new Error(`must be a number from ${minimum} to ${maximum}.`)
    return value
  }
  return { doc, fallback, read }
}

export function integer(doc: string, fallback: number, minimum: number, maximum: number): Setting<number> {
  const bounded = number(doc, fallback, minimum, maximum)
  const read = (raw: string, env: Environment) => {
    const value = bounded.read(raw, env)
    if (!Number.isInteger(value)) throw new Error('must be a whole number.')
    return value
  }
  return { doc, fallback, read }
}

/** Throws why it cannot be read. The parser's own message would show what the file contains, which may be secrets. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    throw new Error(`cannot be read: ${why}.`, { cause: error })
  }
}

export type Value = string | number | string[] | object

/** What the page of the settings shows: lists without brackets, objects as JSON. */
export function toText(value: Value): string {
  if (typeof value !== 'object' || Array.isArray(value)) return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}
