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

/** SQL for the ids of the copies that a request `s` asked for. */
const ASKED = `array(
  select batch_id * 1024 + place + 1
  from unnest(array(select b from unnest(s.batch_ids, s.sizes) x(b, n) cross join generate_series(1, n)), s.places) asked(batch_id, place))`

/** Requests with a push for a user, claimed after the user was deleted, suspended or opted out. */
async function claimedAfterLeaving({ pool }: World, left: Departure[]): Promise<number> {
  // The service follows PostgreSQL's clock; this program uses the machine's.
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from unnest($1::bigint[], $2::timestamptz[]) as gone(user_id, at)
     where exists (
       select from requests s join notifications c on c.batch_id = any(s.batch_ids)
       where s.started_at > gone.at + interval '20 ms' and c.user_id = gone.user_id and c.notification_id = any(${ASKED}))`,
    [left.map(({ userId }) => userId), left.map(({ answeredAt }) => new Date(answeredAt))],
  )
  return rows[0]?.n ?? 0
}

async function listPhones({ pool }: World): Promise<Phone[]> {
  const { rows } = await pool.query<Phone>(
    'select user_id::int, token, device_id, platform from mobile_devices where removed_at is null order by id',
  )
  return rows
}

/** Pushes to a moved token that are not for its new owner: claimed before the move was answered, or after. */
async function arrivedAfterMove({ pool, provider }: World, moved: Move[]) {
  const byToken = new Map(moved.map((move) => [move.token, move]))
  const { rows } = await pool.query<{ id: number; user_id: number; claimed_at: Date[] }>(
    `select n.notification_id::int as id, n.user_id::int, array_agg(s.started_at) as claimed_at
     from notifications n join requests s on n.batch_id = any(s.batch_ids) and n.notification_id = any(${ASKED}) group by 1, 2`,
  )
  const copies = new Map(rows.map((row) => [row.id, row]))
  const late = provider.accepted().flatMap(({ token, time, notification_id }) => {
    const move = byToken.get(token)
    const copy = copies.get(Number(notification_id))
    if (!move || !copy || time <= move.answeredAt || copy.user_id === move.newOwner) return []
    const claims = copy.claimed_at.map((at) => at.getTime()).filter((at) => at <= time)
    return [Math.max(...claims) > move.answeredAt]
  })
  const { rowCount } = await pool.query(
    `select from notifications where not is_send and error_message = 'OutcomeUnknown'`,
  )
  const claimedAfter = late.filter(Boolean).length
  return { claimedAfter, inFlight: late.length - claimedAfter, withUnknown: rowCount ?? 0 }
}
