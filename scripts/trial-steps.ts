import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isPanelBuilt } from '../panel/build.ts'

// A step that takes longer is reported this often.
const STILL_MS = 15_000

/** Waits for a step of the start and says how long it took, and meanwhile that it still runs. */
export async function timed<T>(name: string, step: Promise<T>, say: (text: string) => void): Promise<T> {
  const from = performance.now()
  const seconds = () => `${((performance.now() - from) / 1_000).toFixed(1)} s`
  const still = setInterval(() => say(`  ${name}: not yet (${seconds()})`), STILL_MS)
  try {
    const result = await step
    say(`  ${name}: ready (${seconds()})`)
    return result
  } finally {
    clearInterval(still)
  }
}

/** Installs what a trial runs with, or waits until it is there. */
export async function installPackages(): Promise<void> {
  await run('scripts/install.mjs', 'trial')
}

/** Installs what builds the panel, and builds it, while everything else runs. The server then opens it by itself. */
export async function buildPanelBeside(say: (text: string) => void): Promise<void> {
  if (await isPanelBuilt()) return
  await timed('the panel', buildPanel(), say).catch((error: unknown) =>
    say(`The panel could not be built: ${String(error)}`),
  )
}

async function buildPanel(): Promise<void> {
  await run('scripts/install.mjs', 'panel')
  await run('panel/build.ts')
}

async function run(file: string, ...args: string[]): Promise<void> {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  const [code] = await once(
    spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'inherit', 'inherit'] }),
    'exit',
  )
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}; its own words are above.`)
}
