import { setTimeout as sleep } from 'node:timers/promises'
import { call, expectStatus, register } from '../api.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/** Phones change owners, and users leave, are suspended and opt out, during a campaign with retries. */
export const moves: Scenario = {
  name: 'moves',
  about: 'tokens move to other users, users are deleted, suspended, opt out, mid-campaign with retries',
  worldOptions: ({ users }) => ({
    settings: { PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 200)), PUSH_LEASE_SECONDS: '20' },
    provider: { latencyMs: 100 },
  }),
  run,
}

const CHANGES = [
  'update users set deleted_at = now() where user_id = any($1)',
  `update users set status = 'suspended' where user_id = any($1)`,
  `update user_settings set setting_value = '0' where user_id = any($1)`,
]

const CLOCKS_DIFFER_MS = 20

type Phone = { user_id: number; token: string; device_id: string; platform: string }
type Departure = { userId: number; answeredAt: number }
type Move = { token: string; newOwner: number; answeredAt: number }

async function run(world: World): Promise<Finding> {
  const { pool, provider, plan, random } = world
  const { web, token } = await startService(world, 2)
  const owners = [await register(web.url), await register(web.url)] as const
  const phones = random.some(await listPhones(world), Math.ceil(plan.users / 10))
  const faults = { match: 'send', times: 0, seed: plan.seed } as const
  provider.script([
    { ...faults, probability: 0.3, status: 504, accept: true },
    { ...faults, probability: 0.2, status: 503 },
  ])
  const messageIds = [await startCampaign(world, web, token)]
  const moved: Move[] = []
  const left: Departure[] = []
  const change = random.some(await listPhones(world), Math.ceil(plan.users / 10)).map((phone) => phone.user_id)
  for (const [index, phone] of phones.entries()) {
    const owner = random.pick(owners)
    const { token: pushToken, device_id, platform } = phone
    const body = { token: pushToken, device_id, platform }
    expectStatus(200, await call(web.url, 'POST', '/api/user/save-phone-token', { token: owner.token, body }))
    moved.push({ token: pushToken, newOwner: owner.userId, answeredAt: Date.now() })
    const departure = random.pick(['', ...CHANGES])
    if (departure !== '') {
      await pool.query(departure, [[change[index]]])
      left.push({ userId: change[index] ?? 0, answeredAt: Date.now() })
    }
    await sleep(random.between(0, (4_000 / phones.length) * 2))
  }
  await drain(world, messageIds)
  const late = await arrivedAfterMove(world, moved)
  const claimedForLeft = await claimedAfterLeaving(world, left)
  return toFinding(
    world,
    { messageIds, duplicates: 'bounded' },
    {
      faults: [
        ...(late.claimedAfter === 0
          ? []
          : [`${late.claimedAfter} pushes of a former owner were claimed after the move`]),
        ...(claimedForLeft === 0 ? [] : [`${claimedForLeft} requests were claimed for users who had left`]),
      ],
      notes: [
        `${moved.length} tokens moved; ${late.inFlight} pushes of a former owner were already in flight`,
        `${left.length} users were deleted, suspended or opted out`,
        `${late.withUnknown} copies ended after a request that may have arrived`,
      ],
    },
  )
}

/** The copies that requests asked for. */
type AskedCopy = { id: number; userId: number; at: Date }

async function listAsked({ pool }: World): Promise<AskedCopy[]> {
  const { rows: requests } = await pool.query<{ batch_ids: number[]; sizes: number[]; places: number[]; at: Date }>(
    'select batch_ids, sizes, places, started_at as at from requests',
  )
  const { rows: copies } = await pool.query<{ id: number; user: number }>(
    'select notification_id::int as id, user_id::int as "user" from notifications',
  )
  const userOf = new Map(copies.map(({ id, user }) => [id, user]))
  return requests.flatMap(({ batch_ids, sizes, places, at }) => {
    const batches = batch_ids.flatMap((batch, n) => Array.from({ length: sizes[n] ?? 0 }, () => batch))
    return batches.flatMap((batch, n) => {
      const id = batch * 1_024 + (places[n] ?? 0) + 1
      const userId = userOf.get(id)
      return userId === undefined ? [] : [{ id, userId, at }]
    })
  })
}

/** Pushes for a user that were claimed after the user was deleted, suspended or opted out. */
async function claimedAfterLeaving(world: World, left: Departure[]): Promise<number> {
  // The service follows PostgreSQL's clock; this program uses the machine's.
  const leftAt = new Map(left.map(({ userId, answeredAt }) => [userId, answeredAt + CLOCKS_DIFFER_MS]))
  const asked = await listAsked(world)
  return asked.filter(({ userId, at }) => at.getTime() > (leftAt.get(userId) ?? Infinity)).length
}

async function listPhones({ pool }: World): Promise<Phone[]> {
  const { rows } = await pool.query<Phone>(
    'select user_id::int, token, device_id, platform from mobile_devices where removed_at is null order by id',
  )
  return rows
}

/** Pushes to a moved token that are not for its new owner: claimed before the move was answered, or after. */
async function arrivedAfterMove(world: World, moved: Move[]) {
  const { pool, provider } = world
  const byToken = new Map(moved.map((move) => [move.token, move]))
  const copies = Map.groupBy(await listAsked(world), ({ id }) => id)
  const late = provider.accepted().flatMap(({ token, time, notification_id }) => {
    const move = byToken.get(token)
    const asked = copies.get(Number(notification_id))
    if (!move || !asked || time <= move.answeredAt || asked[0]?.userId === move.newOwner) return []
    const claims = asked.map(({ at }) => at.getTime()).filter((at) => at <= time)
    return [Math.max(...claims) > move.answeredAt]
  })
  const { rowCount } = await pool.query(
    `select from notifications where not is_send and error_message = 'OutcomeUnknown'`,
  )
  const claimedAfter = late.filter(Boolean).length
  return { claimedAfter, inFlight: late.length - claimedAfter, withUnknown: rowCount ?? 0 }
}
