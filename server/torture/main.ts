import { parseArgs } from 'node:util'
import { startGround } from './ground.ts'
import { describeFinding } from './report.ts'
import { playScenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    users: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
})
const plan = { seed: Number(values.seed), users: Number(values.users), kills: Number(values.kills) }
const chosen = SCENARIOS.filter((scenario) => values.only === undefined || scenario.name === values.only)
if (chosen.length === 0 || !Object.values(plan).every((number) => Number.isInteger(number) && number > 0)) {
  const names = SCENARIOS.map((scenario) => scenario.name).join(', ')
  process.stderr.write(`--seed, --users and --kills take a whole number; --only takes one of: ${names}\n`)
  process.exit(2)
}

const again = `npm run torture -- --seed ${plan.seed} --users ${plan.users} --kills ${plan.kills}`
process.stdout.write(`${again}\n`)
const ground = await startGround()
const broken: string[] = []
for (const scenario of chosen) {
  const from = performance.now()
  const finding = await playScenario(ground, plan, scenario)
  process.stdout.write(`${describeFinding(scenario, finding, (performance.now() - from) / 1_000)}\n`)
  if (finding.faults.length > 0) broken.push(scenario.name)
}
await ground.close(broken.length > 0)
if (broken.length > 0) {
  process.stdout.write(`Broken: ${broken.join(', ')}. The logs of the processes are in ${ground.folder}.\n`)
  process.stdout.write(`Again: ${again} --only ${broken[0]}\n`)
}
process.exit(broken.length === 0 ? 0 : 1)
