import { checkSync } from 'recheck'
import type { Pattern } from './find-patterns.ts'

const TIME_MS = 20_000

/** Files that put patterns together at run time, and why no input makes them slow. */
export type Built = Record<string, string>

/**
 * Each pattern on which some text takes more than linear time, as a sentence with its place and such a text. Faults are
 * also a pattern that is put together at run time, but for those of the files in `built`, and a file there without one.
 */
export function faultsOf(patterns: Pattern[], built: Built): string[] {
  // The checker's own JavaScript: its other forms want Java or a binary, and give up where there is none.
  process.env['RECHECK_SYNC_BACKEND'] = 'pure'
  const stale = Object.keys(built).filter((path) => !patterns.some((one) => one.path === path && isBuilt(one)))
  return [
    ...patterns.map((pattern) => faultOf(pattern, built)).filter((fault) => fault !== undefined),
    ...stale.map((path) => `${path}: puts no pattern together any more`),
  ]
}

function isBuilt({ source }: Pattern): boolean {
  return source === undefined
}

function faultOf({ path, line, source, flags }: Pattern, built: Built): string | undefined {
  const place = `${path}:${line}`
  if (source === undefined)
    return path in built ? undefined : `${place}: is put together at run time, so that it cannot be checked`
  const result = checkSync(source, flags, { timeout: TIME_MS })
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return `${place}: /${source}/ cannot be checked: ${result.error.kind}`
  return `${place}: /${source}/ takes ${result.complexity.summary} time, for instance on ${result.attack.pattern}`
}
