import { afterAll, beforeAll, describe, test } from 'vitest'
import { createSlots } from '../src/push/slots.ts'
import { startGround, type Ground } from './ground.ts'
import { describeFinding } from './report.ts'
import { playScenario, type Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

const PLAN = { seed: 7, users: 150, kills: 2 }

// Most of a scenario is waiting; more of them at once than this, and two cores are too slow for their leases.
const slots = createSlots(3)
const grounds: Ground[] = []

beforeAll(async () => {
  grounds.push(await startGround())
}, 60_000)

afterAll(async () => {
  for (const ground of grounds) await ground.close(false)
})

/** A small part of `npm run torture`. */
describe.concurrent('the delivery path tells the truth under faults', () => {
  test.for(SCENARIOS)('$name: $about', { timeout: 120_000 }, async (scenario, { expect }) => {
    const release = await slots.take('campaign')
    const from = performance.now()
    const finding = await playScenario(await groundFor(scenario), PLAN, scenario).finally(release)
    const seconds = (performance.now() - from) / 1_000
    expect(finding.faults, describeFinding(scenario, finding, seconds)).toEqual([])
  })
})

/** One for all, and another for the scenario that takes PostgreSQL away. */
async function groundFor({ name }: Scenario): Promise<Ground> {
  const shared = grounds[0]
  if (shared && name !== 'database') return shared
  const own = await startGround()
  grounds.push(own)
  return own
}
