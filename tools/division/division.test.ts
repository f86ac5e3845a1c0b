// Slow: four PostgreSQL servers that are made, divided, backed up, lost and restored. It runs where CITUS_URL is set.
import { expect, test } from 'vitest'
import { drillDivision } from './drill.ts'
import { canDrill } from './programs.ts'

test.skipIf(!canDrill() || (process.env['CITUS_URL'] ?? '') === '')(
  'each block of docs/divided.md does what the page says, and all servers go back to one restore point',
  async () => {
    const { spreads, rows, warnings } = await drillDivision(() => undefined)
    expect(spreads).toEqual([{ 1: 16, 2: 16 }, expect.anything()])
    expect(Object.values(spreads[1]!).toSorted((one, other) => one - other)).toEqual([10, 11, 11])
    expect(rows).toEqual({ atPoint: 32, atLoss: 64, restored: 32 })
    expect(
      warnings.filter((check) => ['nodes', 'citus', 'homes', 'citus-settings', 'prepared'].includes(check)),
    ).toEqual([])
  },
  15 * 60_000,
)
