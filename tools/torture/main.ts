import { parseArgs } from 'node:util'
import { otherPrograms } from '../../server/test/support/postgres.ts'
import { startDivided } from './environments/divided.ts'
import { describeFinding } from './report.ts'
import { runScenario, shareEnvironment } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    users: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '20' },
    outage: { type: 'string', default: '12' },
    waits: { type: 'string', default: '0' },
    only: { type: 'string' },
    postgres: { type: 'string' },
    citus: { type: 'boolean', default: false },
  },
})
const { only, postgres, citus, ...numbers } = values
const plan = {
  seed: Number(numbers.seed),
  users: Number(numbers.users),
  kills: Number(numbers.kills),
  outageSeconds: Number(numbers.outage),
  waitsMs: Number(numbers.waits),
}
const names = SCENARIOS.map((scenario) => scenario.name)
const chosen = only?.split(',') ?? names
const areNumbers = Object.entries(plan).every(
  ([name, number]) => Number.isInteger(number) && number >= (name === 'waitsMs' ? 0 : 1),
)
if (!areNumbers || !chosen.every((name) => names.includes(name))) {
  process.stderr.write(`--seed, --users, --kills, --outage (seconds) and --waits (milliseconds) take a whole number;
--postgres takes the folder of a PostgreSQL's programs; --citus takes nothing; --only takes some of: ${names.join(',')}\n`)
  process.exit(2)
}

const options = { ...numbers, ...(postgres !== undefined && { postgres }) }
const command = `npm run torture -- ${Object.entries(options)
  .map(([name, value]) => `--${name} ${value}`)
  .join(' ')}${citus ? ' --citus' : ''}`
process.stdout.write(`${command}\n`)
const shared = shareEnvironment({
  programs: postgres ?? otherPrograms(),
  ...(citus && { divided: startDivided }),
})
const broken: string[] = []
const skipped: string[] = []
for (const scenario of SCENARIOS.filter(({ name }) => chosen.includes(name))) {
  const from = performance.now()
  const finding = await runScenario(shared, plan, scenario)
  process.stdout.write(`${describeFinding(scenario, finding, (performance.now() - from) / 1_000)}\n`)
  if ('missing' in finding) skipped.push(scenario.name)
  else if (finding.faults.length > 0) broken.push(scenario.name)
}
await shared.close(broken.length > 0)
if (skipped.length > 0) process.stdout.write(`Skipped: ${skipped.join(', ')}.\n`)
if (broken.length > 0) {
  process.stdout.write(`Broken: ${broken.join(', ')}.\nAgain: ${command} --only ${broken.join(',')}\n`)
}
process.exit(broken.length === 0 ? 0 : 1)
