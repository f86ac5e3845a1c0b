import { check, type Figures, type Rules } from './checker.ts'
import { startGround, type Ground, type GroundOptions, type Lack, type PlainGround } from './ground.ts'
import { inWorld, type Plan, type World, type WorldWishes } from './world.ts'

export type Finding = { figures: Figures; faults: string[]; notes: string[] }

export type Scenario = {
  name: string
  about: string
  wishes?: (plan: Plan) => WorldWishes
} & ({ play(world: World): Promise<Finding> } | { bring(options: GroundOptions): Promise<Stage | Lack> })

/** The servers that one scenario started, and the scenario that runs on them. */
type Stage = { ground: Ground; play(world: World): Promise<Finding> }

/** What all other scenarios share; it starts with the first of them. */
export type Shared = { ground(): Promise<Ground>; options: GroundOptions }

/** A scenario with its own servers, which `start` makes; `start` may also return what the machine lacks. */
export function standingOn<G extends Ground>(
  start: (options: GroundOptions) => Promise<G | Lack>,
  scenario: Omit<Scenario, 'play' | 'bring'> & { play(world: World, ground: G): Promise<Finding> },
): Scenario {
  const { name, about, wishes, play } = scenario
  const bring = async (options: GroundOptions) => {
    const ground = await start(options)
    return 'lacks' in ground ? ground : { ground, play: (world: World) => play(world, ground) }
  }
  return { name, about, ...(wishes && { wishes }), bring }
}

/** Shares one plain server until `close` is called. */
export function shareGround(options: GroundOptions): Shared & { close(keepFolder: boolean): Promise<void> } {
  const started: Promise<PlainGround>[] = []
  return {
    options,
    ground: async () => {
      if (started.length === 0) started.push(startGround(options))
      return started[0] as Promise<PlainGround>
    },
    close: async (keepFolder) => {
      for (const ground of started) await (await ground).close(keepFolder)
    },
  }
}

/**
 * Runs a scenario in its own world. An error is a fault, and so is a process that does not end cleanly. Returns what
 * the machine lacks when the scenario cannot run.
 */
export async function playScenario(shared: Shared, plan: Plan, scenario: Scenario): Promise<Finding | Lack> {
  if ('play' in scenario) {
    const ground = await shared.ground()
    return onServer(ground, await playOn(ground, plan, scenario, (world) => scenario.play(world)))
  }
  const stage = await scenario.bring(shared.options)
  if ('lacks' in stage) return stage
  let isBroken = true
  try {
    const finding = await playOn(stage.ground, plan, scenario, (world) => stage.play(world))
    isBroken = finding.faults.length > 0
    return onServer(stage.ground, finding)
  } finally {
    await stage.ground.close(isBroken)
  }
}

function onServer({ server, folder }: Ground, finding: Finding): Finding {
  const logs = finding.faults.length > 0 ? [`the logs of the processes are in ${folder}`] : []
  return { ...finding, notes: [`on ${server}`, ...finding.notes, ...logs] }
}

async function playOn(
  ground: Ground,
  plan: Plan,
  { name, wishes }: Scenario,
  play: (world: World) => Promise<Finding>,
): Promise<Finding> {
  const stage = { name, plan, ...(wishes && { wishes: wishes(plan) }) }
  const { result, stopFaults } = await inWorld(ground, stage, async (world) =>
    play(world).catch(async (error: unknown) => {
      const { figures } = await check(world, { messageIds: await allMessages(world), duplicates: 'bounded' })
      return { figures, faults: [error instanceof Error ? error.message : String(error)], notes: [] }
    }),
  )
  return { ...result, faults: [...result.faults, ...stopFaults] }
}

/** The finding of a world whose messages have ended. */
export async function findingOf(world: World, rules: Rules, more: Partial<Finding> = {}): Promise<Finding> {
  const { figures, faults } = await check(world, rules)
  return { figures, faults: [...faults, ...(more.faults ?? [])], notes: more.notes ?? [] }
}

async function allMessages({ pool }: World): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select message_id::int as id from messages')
  return rows.map((row) => row.id)
}
