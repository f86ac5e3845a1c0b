import { check, type Figures, type Rules } from './checker.ts'
import type { Ground } from './ground.ts'
import { inWorld, type Plan, type World, type WorldWishes } from './world.ts'

/** What a scenario found. */
export type Finding = { figures: Figures; faults: string[]; notes: string[] }

/** One way to torture the service. */
export type Scenario = {
  name: string
  about: string
  wishes?: (plan: Plan) => WorldWishes
  play(world: World): Promise<Finding>
}

/** Plays a scenario in a world of its own. An error in it is a fault, as is a process that does not end in order. */
export async function playScenario(ground: Ground, plan: Plan, scenario: Scenario): Promise<Finding> {
  const stage = { name: scenario.name, plan, ...(scenario.wishes && { wishes: scenario.wishes(plan) }) }
  const { result, stopFaults } = await inWorld(ground, stage, async (world) =>
    scenario.play(world).catch(async (error: unknown) => {
      const { figures } = await check(world, { messageIds: await allMessages(world), duplicates: 'bounded' })
      return { figures, faults: [error instanceof Error ? error.message : String(error)], notes: [] }
    }),
  )
  return { ...result, faults: [...result.faults, ...stopFaults] }
}

/** The finding of a world whose messages are over. */
export async function findingOf(world: World, rules: Rules, more: Partial<Finding> = {}): Promise<Finding> {
  const { figures, faults } = await check(world, rules)
  return { figures, faults: [...faults, ...(more.faults ?? [])], notes: more.notes ?? [] }
}

async function allMessages({ pool }: World): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select message_id::int as id from messages')
  return rows.map((row) => row.id)
}
