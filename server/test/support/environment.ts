import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FILE_LIMITS } from '../../src/platform/config/settings.ts'

// Most of what the start of a process takes is to compile what it loads.
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'swapbell-test-compiled') }

/** The environment of a process with these settings. Those that are limits are written into a file in `folder`. */
export async function environmentWith(
  settings: Record<string, string>,
  folder: string,
): Promise<Record<string, string>> {
  const { limits = [], variables = [] } = Object.groupBy(Object.entries(settings), ([name]) =>
    Object.hasOwn(FILE_LIMITS, name) ? 'limits' : 'variables',
  )
  const file = join(folder, `limits-${randomUUID()}.json`)
  await writeFile(file, JSON.stringify(Object.fromEntries(limits.map(([name, value]) => [name, Number(value)]))))
  return { ...COMPILED, ...Object.fromEntries(variables), LIMITS_FILE: file }
}
