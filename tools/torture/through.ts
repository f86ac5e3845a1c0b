import { setTimeout as sleep } from 'node:timers/promises'
import { startArrivals } from './arrivals.ts'
import { check, type Rules } from './checker.ts'
import { readAudience } from './people.ts'
import type { Process } from './processes.ts'
import { findingOf, type Finding } from './scenario.ts'
import { drain, startCampaign, startService, type Settings, type World } from './world.ts'

/** What runs while the strike falls. The strike may replace processes in it. */
export type Service = { webs: Process[]; workers: Process[]; token: string }

/** What befalls the service in the middle of a campaign. */
export type Strike = (service: Service) => Promise<Partial<Pick<Finding, 'faults' | 'notes'>>>

const WITHIN_MS = 60_000
const AFTER_MS = 2_000
const WEBS = 1
const WORKERS = 2

type ThroughOptions = {
  duplicates: Rules['duplicates']
  /** Processes of the API. */
  webs?: number
  /** Over those of the world, for every process. */
  settings?: Settings
  /** How long the messages may take once the strike is over. */
  withinMs?: number
}

/**
 * Plays a strike in the middle of a campaign, while pushes to single users arrive, and another campaign after it. Every
 * process must live through it, unless the strike has replaced it.
 */
export async function playThrough(world: World, options: ThroughOptions, strike: Strike): Promise<Finding> {
  const { web, token, workers } = await startService(world, WORKERS, options.settings)
  const others = Array.from({ length: (options.webs ?? WEBS) - 1 }, () => world.startWeb(options.settings))
  const service: Service = { webs: [web, ...(await Promise.all(others))], workers, token }
  const audience = await readAudience(world.pool)
  const arrivals = await startArrivals(world, token, () => service.webs.map((process) => process.url))
  const campaigns = [await startCampaign(world, web, token)]
  await sleep(world.random.between(0, 700))
  const { faults = [], notes = [] } = await strike(service).catch((error: unknown) => ({
    faults: [`the strike failed: ${String(error)}`],
    notes: [],
  }))
  await sleep(AFTER_MS)
  const arrived = await arrivals.stop()
  campaigns.push(await startCampaign(world, service.webs[0] ?? web, token))
  const from = performance.now()
  const messageIds = [...campaigns, ...arrived.messageIds]
  await drain(world, messageIds, options.withinMs ?? WITHIN_MS)
  const { duplicates } = options
  const held = await check(world, { messageIds: campaigns, audience, duplicates })
  const dead = [...service.webs, ...service.workers].filter((process) => !process.isRunning())
  return findingOf(
    world,
    { messageIds, duplicates },
    {
      faults: [
        ...held.faults,
        ...faults,
        ...arrived.faults,
        ...dead.map((process) => `${process.name} did not live through it`),
      ],
      notes: [
        ...notes,
        ...arrived.notes,
        `all was over ${Math.round(performance.now() - from)} ms after the last send`,
      ],
    },
  )
}
