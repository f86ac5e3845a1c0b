import { drillDivision } from './drill.ts'
import { canDrill } from './programs.ts'

if (canDrill()) {
  const { spreads, rows, warnings } = await drillDivision(say)
  say(`Homes of the workers: ${spreads.map((spread) => Object.values(spread).join(' and ')).join(', then ')}.`)
  say(`Rows at the restore point: ${rows.atPoint}; when all was lost: ${rows.atLoss}; restored: ${rows.restored}.`)
  say(`In the end the doctor warns of: ${warnings.join(', ')}.`)
  process.exitCode = rows.restored === rows.atPoint ? 0 : 1
} else {
  process.stderr.write('The drill was not run: it needs root, and PostgreSQL 15 of Debian with the extension Citus.\n')
  process.exitCode = 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
