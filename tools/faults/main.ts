import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FAULTS, type Fault } from './faults.ts'

// `npm run faults` plants each fault of the list in the sources, one at a time, and runs the model of the ledger, which
// must find it; `npm run faults -- "a purge leaves the copies"` that one. The sources are put back.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MODEL = 'server/src/push/ledger/model.test.ts'

const wanted = process.argv.slice(2)
const chosen = FAULTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (chosen.length === 0) {
  process.stderr.write(`The faults are:\n${FAULTS.map(({ name }) => `  ${name}`).join('\n')}\n`)
  process.exit(2)
}
const missed = chosen.filter((fault) => {
  const isFound = plantAndRun(fault)
  process.stdout.write(`${isFound ? 'found ' : 'MISSED'} ${fault.name}\n`)
  return !isFound
})
process.stdout.write(`${chosen.length - missed.length} of ${chosen.length} faults were found.\n`)
process.exit(missed.length === 0 ? 0 : 1)

function plantAndRun({ file, from, to }: Fault): boolean {
  const path = join(ROOT, file)
  const sound = readFileSync(path, 'utf8')
  if (sound.split(from).length !== 2) throw new Error(`${file} must hold this text once:\n${from}`)
  const restore = () => writeFileSync(path, sound)
  process.once('exit', restore)
  try {
    writeFileSync(
      path,
      sound.replace(from, () => to),
    )
    const { status } = spawnSync('npx', ['vitest', 'run', MODEL], {
      cwd: ROOT,
      stdio: 'ignore',
      env: { ...process.env, MODEL_RUNS: '300' },
    })
    return status !== 0
  } finally {
    restore()
    process.removeListener('exit', restore)
  }
}
