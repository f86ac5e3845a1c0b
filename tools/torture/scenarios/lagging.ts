import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAsynchronousPair, type PairEnvironment } from '../environments/pair.ts'
import { readAudience } from '../people.ts'
import { toFinding, runningOn, type Finding } from '../scenario.ts'
import { drain, startCampaign, startService, type Plan, type World, type WorldOptions } from '../world.ts'

// Shorter than an answer takes: a worker whose claim is lost is still waiting for its answer when the primary dies.
const LOST_MS = 1_000
const ANSWER_MS = 3_000

// It is so short that answers are stored, and lost with their claims, before the primary dies.
const SHORT_ANSWER_MS = 50

/** The standby is asynchronous and lags by a second: committed claims are lost although their pushes were sent. */
export const lagging = runningOn(startAsynchronousPair, {
  name: 'lagging',
  about:
    'failover to an asynchronous standby 1 s behind: what may be doubled is counted, logged and raised as an alert',
  worldOptions: optionsWith(ANSWER_MS),
  run,
})

/** The same, and the answers of the claims that are lost had been stored. */
export const settledLost = runningOn(startAsynchronousPair, {
  name: 'settled-lost',
  about: 'the same failover, which loses claims whose answers had been stored: workers remember and count them',
  worldOptions: optionsWith(SHORT_ANSWER_MS),
  run,
})

function optionsWith(latencyMs: number) {
  return ({ users }: Plan): WorldOptions => ({
    users: Math.max(users, 800),
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 250)),
      PUSH_CONCURRENCY: '48',
      PUSH_TIMEOUT_SECONDS: '5',
      PUSH_LEASE_SECONDS: '8',
    },
    provider: { latencyMs },
  })
}

async function run(world: World, environment: PairEnvironment): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const messageIds = [await startCampaign(world, web, token)]
  await sleep(world.random.between(0, 700))
  const before = await countSubmissions(world)
  environment.cutReplication()
  await sleep(LOST_MS)
  const lost = (await countSubmissions(world)) - before
  await environment.killPrimary()
  await environment.promote()
  environment.moveAddress()
  await drain(world, messageIds)
  const lines = await loggedLosses(world)
  const { rows: alerts } = await world.pool.query<{ code: string; detail: string }>(
    'select code, detail from alerts where resolved_at is null',
  )
  const faults = [
    ...(lost > 0 ? [] : ['no claim was lost: the scenario met nothing']),
    ...(alerts.length > 0 ? [] : ['no alert is open']),
    ...(lines.length > 0 ? [] : ['no line of a log tells of what was lost']),
  ]
  const notes = [
    `${lost} requests were committed and lost; ${countIdsGivenTwice(world)} ids were given to two phones`,
    ...alerts.map(({ code, detail }) => `alert ${code}: ${detail}`),
    ...lines.slice(0, 2),
  ]
  return toFinding(world, { messageIds, audience, duplicates: 'summed' }, { faults, notes })
}

async function countSubmissions({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from requests')
  return rows[0]?.n ?? 0
}

/** The sequence of ids went back with the lost commits. */
function countIdsGivenTwice({ provider }: World): number {
  const phones = Map.groupBy(provider.accepted(), (entry) => entry.notification_id)
  return [...phones.values()].filter((entries) => new Set(entries.map(({ token }) => token)).size > 1).length
}

async function loggedLosses({ folder }: World): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('worker'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => text.split('\n').filter((line) => /lost committed work/.test(line)))
}
