import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
// .ci/run installs the packages of this list.
import packages from './programs.json' with { type: 'json' }

export const STOCK_POSTGRES = process.env['STOCK_POSTGRES'] ?? '/usr/lib/postgresql/15/bin'

const CHROME = [process.env['CHROMIUM'] ?? '', '/usr/bin/google-chrome']
/** What tests take in place of a program. */
const OTHERS: Record<string, string[]> = {
  chromium: CHROME,
  'chromium-headless-shell': ['/usr/bin/chromium', ...CHROME],
}

export function isInstalled(...programs: string[]): boolean {
  return programs.every((program) => isInPath(program) || (OTHERS[program] ?? []).some(isRunnable))
}

/** What tests need besides the npm packages, and the packages of Debian that have it. */
export function missingPrograms(needed = Object.keys(packages)): { programs: string[]; packages: string[] } {
  const packagesByProgram = new Map(Object.entries(packages))
  const missing = needed.filter((program) => !isInstalled(program))
  return { programs: missing, packages: [...new Set(missing.map((name) => packagesByProgram.get(name) ?? name))] }
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
