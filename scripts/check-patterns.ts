import { checkSync } from 'recheck'
import type { Pattern } from './find-patterns.ts'

// The slowest takes 4 s, and took more than 20 beside other work.
const TIME_MS = 120_000

/** Files that build patterns at run time, and why no input makes these slow. */
export type Built = Record<string, string>

/**
 * A sentence with the place and a slow text for each pattern that can take more than linear time. A pattern that is
 * built at run time is a fault too, unless `built` lists its file, and so is a listed file without one.
 */
export function findFaults(patterns: Pattern[], built: Built): string[] {
  // Uses the checker's JavaScript form; its other forms need Java or a binary and stop when that is missing.
  process.env['RECHECK_SYNC_BACKEND'] = 'pure'
  const stale = Object.keys(built).filter((path) => !patterns.some((one) => one.path === path && isBuilt(one)))
  return [
    ...patterns.map((pattern) => findFault(pattern, built)).filter((fault) => fault !== undefined),
    ...stale.map((path) => `${path}: builds no pattern at run time any more`),
  ]
}

function isBuilt({ source }: Pattern): boolean {
  return source === undefined
}

function findFault({ path, line, source, flags }: Pattern, built: Built): string | undefined {
  const place = `${path}:${line}`
  if (source === undefined)
    return path in built ? undefined : `${place}: is put together at run time, so that it cannot be checked`
  // An attack is judged by the characters that it reads: by time, patterns that are safe fail on a busy machine.
  const result = checkSync(source, flags, { timeout: TIME_MS, attackTimeout: null })
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return `${place}: /${source}/ cannot be checked: ${result.error.kind}`
  return `${place}: /${source}/ takes ${result.complexity.summary} time, for instance on ${result.attack.pattern}`
}
