import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Process } from './processes.ts'
import type { World } from './world.ts'

/** A worker with a machine clock that can be set. */
export type SkewedWorker = {
  process: Process
  /** Sets the clock this far ahead of the true time; the worker uses it when this returns. */
  set(aheadMs: number): Promise<void>
}

// The worker reads its offset ten times a second.
const READ_WITHIN_MS = 200

/** Starts a worker whose clock is `aheadMs` off from the start. */
export async function startSkewedWorker(world: World, name: string, aheadMs = 0): Promise<SkewedWorker> {
  const file = join(world.folder, `${name}.clock`)
  await writeFile(file, String(aheadMs))
  const preload = new URL('skewed-clock.ts', import.meta.url).href
  const process = await world.startWorker({ NODE_OPTIONS: `--import ${preload}`, SKEW_FILE: file })
  const set = async (ms: number) => {
    await writeFile(file, String(ms))
    await sleep(READ_WITHIN_MS)
  }
  return { process, set }
}
