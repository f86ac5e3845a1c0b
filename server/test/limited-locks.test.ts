import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const LIMITED_LOCK =
  /\b(in|from|join|exists) \((?=\s*select\b(?:(?!\) \w+\n|`)[^;])*?\blimit\b[^\n`]*\bfor (?:no key )?update)/g

// A subquery in `in (…)` or `from (…)` may run once for each row of a nested loop, and locks other rows each time: a
// round of receipts took twenty requests in place of ten. One in `with`, or in `array(…)`, runs once.
test('rows that are locked up to a limit are chosen in a “with”', () => {
  const sources = globSync('server/src/**/*.queries.ts')
  const found = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('`')
      .filter((_, n) => n % 2 === 1)
      .filter((statement) => statement.match(LIMITED_LOCK))
      .map((statement) => ({ file, statement })),
  )
  expect(sources.length).toBeGreaterThan(50)
  expect(found).toEqual([])
})
