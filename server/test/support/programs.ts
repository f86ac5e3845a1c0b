import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
// .ci/run installs the packages of this list.
import packages from './programs.json' with { type: 'json' }

export const STOCK_POSTGRES = process.env['STOCK_POSTGRES'] ?? '/usr/lib/postgresql/15/bin'

export function isInstalled(...programs: string[]): boolean {
  return programs.every((program) => (program === 'chromium' && hasOtherChromium()) || isInPath(program))
}

/** What tests need besides the npm packages, and the packages of Debian that have it. */
export function missingPrograms(needed = Object.keys(packages)): { programs: string[]; packages: string[] } {
  const packagesByProgram = new Map(Object.entries(packages))
  const missing = needed.filter((program) => !isInstalled(program))
  return { programs: missing, packages: [...new Set(missing.map((name) => packagesByProgram.get(name) ?? name))] }
}

function hasOtherChromium(): boolean {
  return [process.env['CHROMIUM'] ?? '', '/usr/bin/google-chrome'].some(isRunnable)
}

function isInPath(program: string): boolean {
  const folders = [STOCK_POSTGRES, ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.some((folder) => isRunnable(join(folder, program)))
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
