import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProposal } from '../../../test/support/marketplace.ts'
import { hold } from '../../../test/support/holds.ts'
import { getReport } from '../../../test/support/report-calls.ts'
import { inBatches } from '../../platform/lists/cursor.ts'

test('a process writes four reports as CSV at once, and refuses the next', async ({ service }) => {
  const analysts = await Promise.all(Array.from({ length: 5 }, () => service.given.user({ role: 'analyst' })))
  await givenProposal(service)
  const held = await hold(service, 'lock table swaps')
  const files = analysts.slice(1).map((analyst) => getReport(service, analyst, 'transaction?format=csv'))
  await held.untilWaiting(4)
  const refused = await getReport(service, analysts[0]!, 'subscription?format=csv')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
  await held.commit()
  for (const file of await Promise.all(files)) expect([file.statusCode, file.body]).toEqual([200, expect.any(String)])
  expect((await getReport(service, analysts[0]!, 'subscription?format=csv')).statusCode).toBe(200)
})

test('a report as CSV ends after its longest time', async ({ deps }) => {
  const rows = sql<{ n: number }>`select generate_series(1, 3000) as n`
  await expect(Array.fromAsync(inBatches(deps.db, rows, -1))).rejects.toThrow('The report took too long.')
  expect((await Array.fromAsync(inBatches(deps.db, rows))).flat()).toHaveLength(3_000)
})
