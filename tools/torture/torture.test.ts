// For CI: torture, the demonstration or the load.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createSemaphore } from '../../server/src/platform/concurrency/semaphore.ts'
import { otherPrograms } from '../../server/test/support/postgres.ts'
import { describeFinding } from './report.ts'
import { runScenario, shareEnvironment } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

const PLAN = { seed: 7, users: 150, kills: 2, outageSeconds: 5, waitsMs: 0 }

// Most of a scenario is waiting; more of them at once than this, and two cores are too slow for their leases.
const slots = createSemaphore(3)
const shared = shareEnvironment({ programs: otherPrograms() })

beforeAll(() => shared.environment())

afterAll(() => shared.close(false))

test('docs/torture.md lists every scenario', async ({ expect }) => {
  const page = await readFile(new URL('../../docs/torture.md', import.meta.url), 'utf8')
  const [list = ''] = page.split('\n## Scenarios\n').slice(1).join().split('\n## ')
  const rows = [...list.matchAll(/^\| `([a-z-]+)`\s*\| (.*?)\s*\|.*\|$/gm)].map(([, name, about]) => ({ name, about }))
  expect(rows).toEqual(SCENARIOS.map(({ name, about }) => ({ name, about })))
})

/** `npm run torture` in small. What the machine lacks something for is skipped, with the reason. */
describe.concurrent('the rows of the delivery path stay true under faults', () => {
  test.for(SCENARIOS.filter(({ isForHandAlone }) => !isForHandAlone))(
    '$name: $about',
    async (scenario, { expect, skip }) => {
      const { finding, seconds } = await slots.run(async () => {
        const from = performance.now()
        const found = await runScenario(shared, PLAN, scenario)
        return { finding: found, seconds: (performance.now() - from) / 1_000 }
      })
      if ('missing' in finding) {
        skip(finding.missing)
        return
      }
      const { faults } = finding
      // CI shows only the first line of a failure, so the faults come first.
      expect(faults, `${faults.join('; ')}\n${describeFinding(scenario, finding, seconds)}`).toEqual([])
    },
  )
})
