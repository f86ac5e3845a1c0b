import { setTimeout as sleep } from 'node:timers/promises'
import { startArrivals } from './arrivals.ts'
import { check, type Rules } from './checker.ts'
import { readAudience } from './people.ts'
import type { Process } from './processes.ts'
import { toFinding, type Finding } from './scenario.ts'
import { findFaultsOfStops, type Quiet } from './stops.ts'
import { drain, startCampaign, startService, type Settings, type World } from './world.ts'

/** The processes that run during a fault. The fault may replace processes in it. */
export type Service = { webs: Process[]; workers: Process[]; token: string }

/** A fault during a campaign. It may start more of them, and stop some of its own. */
export type Fault = (service: Service, campaign: number) => Promise<Injected>
type Injected = Partial<Pick<Finding, 'faults' | 'notes'>> & { campaigns?: number[]; stops?: Quiet[] }

const WITHIN_MS = 60_000
const AFTER_MS = 2_000
const WEBS = 1
const WORKERS = 2

type FaultOptions = {
  duplicates: Rules['duplicates']
  /** Number of API processes. */
  webs?: number
  /** Settings for every process, over those of the world. */
  settings?: Settings
  /** How long the messages may take after the fault. */
  withinMs?: number
}

/**
 * Runs a fault during a campaign, while pushes to single users arrive, and another campaign after it. Every process
 * must survive, unless the fault has replaced it.
 */
export async function runWithFault(world: World, options: FaultOptions, injectFault: Fault): Promise<Finding> {
  const { web, token, workers } = await startService(world, WORKERS, options.settings)
  const others = Array.from({ length: (options.webs ?? WEBS) - 1 }, () => world.startWeb(options.settings))
  const service: Service = { webs: [web, ...(await Promise.all(others))], workers, token }
  const audience = await readAudience(world.pool)
  const arrivals = await startArrivals(world, token, () => service.webs.map((process) => process.url))
  const campaign = await startCampaign(world, web, token)
  await sleep(world.random.between(0, 700))
  const {
    faults = [],
    notes = [],
    campaigns: more = [],
    stops = [],
  } = await injectFault(service, campaign).catch((error: unknown): Injected => ({
    faults: [`the fault could not be injected: ${String(error)}`],
  }))
  await sleep(AFTER_MS)
  const arrived = await arrivals.stop()
  const campaigns = [campaign, ...more, await startCampaign(world, service.webs[0] ?? web, token)]
  const from = performance.now()
  const messageIds = [...campaigns, ...stops.map(({ messageId }) => messageId), ...arrived.messageIds]
  await drain(world, messageIds, options.withinMs ?? WITHIN_MS)
  const { duplicates } = options
  const held = await check(world, { messageIds: campaigns, audience, duplicates })
  const dead = [...service.webs, ...service.workers].filter((process) => !process.isRunning())
  return toFinding(
    world,
    { messageIds, duplicates },
    {
      faults: [
        ...held.faults,
        ...(await findFaultsOfStops(world, stops, audience.selected)),
        ...faults,
        ...arrived.faults,
        ...dead.map((process) => `${process.name} did not survive`),
      ],
      notes: [
        ...notes,
        ...arrived.notes,
        `all was over ${Math.round(performance.now() - from)} ms after the last send`,
      ],
    },
  )
}
