import { parseArgs } from 'node:util'
import { otherPrograms } from '../../server/test/support/postgres.ts'
import { startPlain } from '../torture/environment.ts'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    shorten: { type: 'string', default: '60' },
    users: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    postgres: { type: 'string' },
  },
})
const { postgres, ...numbers } = values
const wish = {
  minutes: Number(numbers.minutes),
  shorten: Number(numbers.shorten),
  users: Number(numbers.users),
  seed: Number(numbers.seed),
}
if (!Object.values(wish).every((number) => Number.isInteger(number) && number >= 1)) {
  process.stderr.write(`--minutes, --shorten (an hour by so much), --users and --seed take a whole number;
--postgres takes the folder of a PostgreSQL's programs\n`)
  process.exit(2)
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const environment = await startPlain({ programs: postgres ?? otherPrograms() })
say(`${environment.server}, ${JSON.stringify(wish)}`)
const faults = await soak(environment, wish, say)
for (const fault of faults) say(`       ! ${fault}`)
if (faults.length > 0) say(`The logs of the processes are in ${environment.folder}.`)
await environment.close(faults.length > 0)
process.exit(faults.length === 0 ? 0 : 1)
