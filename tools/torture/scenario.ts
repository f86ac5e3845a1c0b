import { join } from 'node:path'
import { check, type Figures, type Rules } from './checker.ts'
import {
  startEnvironment,
  type Environment,
  type EnvironmentOptions,
  type Missing,
  type PlainEnvironment,
} from './environment.ts'
import { listLoggedErrors } from './logged-errors.ts'
import { EVERY_KIND } from './phones.ts'
import { describeSent, readSent } from './provider-counts.ts'
import { inWorld, type Plan, type World, type WorldOptions } from './world.ts'

export type Finding = { figures: Figures; faults: string[]; notes: string[] }

export type Scenario = {
  name: string
  about: string
  /** Only `npm run torture` runs it, not the tests. */
  isForHandAlone?: true
  worldOptions?: (plan: Plan) => WorldOptions
} & ({ run(world: World): Promise<Finding> } | { start(options: EnvironmentOptions): Promise<Started | Missing> })

/** The servers that one scenario started, and the scenario that runs on them. */
type Started = { environment: Environment; run(world: World): Promise<Finding> }

/** What all other scenarios share; it starts with the first of them. */
export type Shared = { environment(): Promise<Environment | Missing>; options: EnvironmentOptions }

/** A scenario with its own servers, which `start` makes; `start` may also return what the machine lacks. */
export function runningOn<G extends Environment>(
  start: (options: EnvironmentOptions) => Promise<G | Missing>,
  scenario: Omit<Scenario, 'run' | 'start'> & { run(world: World, environment: G): Promise<Finding> },
): Scenario {
  const { name, about, worldOptions, run } = scenario
  const startOwn = async (options: EnvironmentOptions) => {
    const environment = await start(options)
    return 'missing' in environment ? environment : { environment, run: (world: World) => run(world, environment) }
  }
  return { name, about, ...(worldOptions && { worldOptions }), start: startOwn }
}

/** The same scenario, with as many phones of each provider as it has of Expo's service alone. */
export function withEveryProvider(scenario: Scenario): Scenario {
  const { worldOptions } = scenario
  return {
    ...scenario,
    worldOptions: (plan) => {
      const options = worldOptions?.(plan) ?? {}
      return { ...options, users: (options.users ?? plan.users) * EVERY_KIND.length, kinds: EVERY_KIND }
    },
  }
}

/** A second scenario for each of these, with phones of every provider. */
export function repeatWithEveryProvider(scenarios: readonly Scenario[]): Scenario[] {
  return scenarios.map((scenario) => ({
    ...withEveryProvider(scenario),
    name: `${scenario.name}-direct`,
    about: `${scenario.about}; each provider has phones`,
    isForHandAlone: true,
  }))
}

/** Shares one plain server until `close` is called. */
export function shareEnvironment(options: EnvironmentOptions): Shared & { close(keepFolder: boolean): Promise<void> } {
  const started: Promise<PlainEnvironment | Missing>[] = []
  return {
    options,
    environment: async () => {
      if (started.length === 0) started.push(startEnvironment(options))
      return started[0] as Promise<PlainEnvironment | Missing>
    },
    close: async (keepFolder) => {
      for (const starting of started) {
        const environment = await starting
        if (!('missing' in environment)) await environment.close(keepFolder)
      }
    },
  }
}

/**
 * Runs a scenario in its own world. An error is a fault, and so is a process that does not end cleanly. Returns what
 * the machine lacks when the scenario cannot run.
 */
export async function runScenario(shared: Shared, plan: Plan, scenario: Scenario): Promise<Finding | Missing> {
  if ('run' in scenario) {
    const environment = await shared.environment()
    if ('missing' in environment) return environment
    return onServer(environment, await runOn(environment, plan, scenario, (world) => scenario.run(world)))
  }
  const started = await scenario.start(shared.options)
  if ('missing' in started) return started
  let isBroken = true
  try {
    const finding = await runOn(started.environment, plan, scenario, (world) => started.run(world))
    isBroken = finding.faults.length > 0
    return onServer(started.environment, finding)
  } finally {
    await started.environment.close(isBroken)
  }
}

function onServer({ server, folder }: Environment, finding: Finding): Finding {
  const logs = finding.faults.length > 0 ? [`the logs of the processes are in ${folder}`] : []
  return { ...finding, notes: [`on ${server}`, ...finding.notes, ...logs] }
}

async function runOn(
  environment: Environment,
  plan: Plan,
  { name, worldOptions }: Scenario,
  run: (world: World) => Promise<Finding>,
): Promise<Finding> {
  const options = { name, plan, ...(worldOptions && { worldOptions: worldOptions(plan) }) }
  const { result, stopFaults } = await inWorld(environment, options, async (world) =>
    run(world).catch(async (error: unknown) => {
      const { figures } = await check(world, { messageIds: await allMessages(world), duplicates: 'bounded' })
      return { figures, faults: [error instanceof Error ? error.message : String(error)], notes: [] }
    }),
  )
  const faults = [...result.faults, ...stopFaults]
  const logged = faults.length > 0 ? await listLoggedErrors(join(environment.folder, name)) : []
  return { ...result, faults: [...faults, ...logged] }
}

/** The finding of a world whose messages have ended. */
export async function toFinding(world: World, rules: Rules, more: Partial<Finding> = {}): Promise<Finding> {
  const { figures, faults } = await check(world, rules)
  const isDirect = world.provider.providersFile !== undefined
  const notes = isDirect ? [describeSent(await readSent(world.pool, rules.messageIds))] : []
  return { figures, faults: [...faults, ...(more.faults ?? [])], notes: [...notes, ...(more.notes ?? [])] }
}

async function allMessages({ pool }: World): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select message_id::int as id from messages')
  return rows.map((row) => row.id)
}
