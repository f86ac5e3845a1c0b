import { parseArgs } from 'node:util'
import { drillDivision } from './drill.ts'
import { measureMove } from './move.ts'
import { canDrill } from './programs.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    people: { type: 'string', default: '1000000' },
    campaigns: { type: 'string', default: '30' },
    singles: { type: 'string', default: '0' },
  },
})

if (positionals[0] === 'move') await move()
else if (canDrill()) await drill()
else refuse('The drill was not run: it needs root, and PostgreSQL 15 of Debian with the extension Citus.')

async function drill(): Promise<void> {
  const { spreads, rows, warnings } = await drillDivision(say)
  say(`Homes of the workers: ${spreads.map((spread) => Object.values(spread).join(' and ')).join(', then ')}.`)
  say(`Rows at the restore point: ${rows.atPoint}; when all was lost: ${rows.atLoss}; restored: ${rows.restored}.`)
  say(`In the end the doctor warns of: ${warnings.join(', ')}.`)
  process.exitCode = rows.restored === rows.atPoint ? 0 : 1
}

/** A plain database of that size is divided in the middle of a campaign. */
async function move(): Promise<void> {
  const citusUrl = process.env['CITUS_URL'] ?? ''
  if (citusUrl === '') return refuse('Nothing was moved: it needs the address of a Citus in CITUS_URL.')
  const size = { people: Number(values.people), campaigns: Number(values.campaigns), singles: Number(values.singles) }
  const { copies, seconds, minutesForTenMillion, faults } = await measureMove(citusUrl, size, say)
  say(`${copies} copies in ${seconds.divided.toFixed(0)} s: ${minutesForTenMillion.toFixed(2)} minutes for 10,000,000.`)
  say(
    faults.length === 0
      ? 'All sums and pages are equal, and nobody was lost or doubled.'
      : `Wrong: ${faults.join(', ')}.`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`)
  process.exitCode = 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
