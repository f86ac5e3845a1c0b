import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Measures what the most expensive requests take of the event loop; throws when one takes too much. */
export async function measureCost(): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tools/bench/cost.config.ts', '--root', root]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('A request costs too much, or could not be measured.')
}
