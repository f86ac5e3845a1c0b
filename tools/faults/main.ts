import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FAULTS, type Fault } from './faults.ts'

// `npm run faults` plants each fault of the list in a copy of the sources, one at a time, and runs the model of the
// ledger, which must find it; `npm run faults -- "a purge leaves the copies"` that one. The model must hold without a
// fault first, because a run that fails for any other reason would pass for a fault that was found.

const SOURCES = fileURLToPath(new URL('../..', import.meta.url))
const MODEL = 'server/src/push/ledger/model.test.ts'
const TEST_WITHIN_MS = '3600000'

const names = process.argv.slice(2)
const chosen = FAULTS.filter(({ name }) => names.length === 0 || names.includes(name))
if (chosen.length === 0) {
  process.stderr.write(`The faults are:\n${FAULTS.map(({ name }) => `  ${name}`).join('\n')}\n`)
  process.exit(2)
}
const root = copySources()
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
if (!runModel('inherit')) {
  process.stderr.write(`${MODEL} fails without a fault, so it would find anything.\n`)
  process.exit(2)
}
const missed = chosen.filter((fault) => {
  const isFound = isFoundWhenPlanted(fault)
  process.stdout.write(`${isFound ? 'found ' : 'MISSED'} ${fault.name}\n`)
  return !isFound
})
process.stdout.write(`${chosen.length - missed.length} of ${chosen.length} faults were found.\n`)
process.exit(missed.length === 0 ? 0 : 1)

function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'faults-'))
  cpSync(SOURCES, copy, { recursive: true, filter: (path) => !['node_modules', '.git'].includes(basename(path)) })
  for (const modules of ['node_modules', 'panel/node_modules']) symlinkSync(join(SOURCES, modules), join(copy, modules))
  return copy
}

function isFoundWhenPlanted({ file, from, to }: Fault): boolean {
  const path = join(root, file)
  const sound = readFileSync(path, 'utf8')
  if (sound.split(from).length !== 2) throw new Error(`${file} must hold this text once:\n${from}`)
  writeFileSync(
    path,
    sound.replace(from, () => to),
  )
  const holds = runModel()
  writeFileSync(path, sound)
  return !holds
}

/** True when the model holds of the sources as they are. Ten times the usual runs may take longer than a test may. */
function runModel(stdio: 'ignore' | 'inherit' = 'ignore'): boolean {
  const env = { ...process.env, MODEL_RUNS: '300' }
  const args = ['vitest', 'run', '--bail', '1', '--test-timeout', TEST_WITHIN_MS, MODEL]
  return spawnSync('npx', args, { cwd: root, stdio, env }).status === 0
}
