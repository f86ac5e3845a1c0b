import { setTimeout as sleep } from 'node:timers/promises'
import { call, expectStatus, MESSAGE, register, sendToAll, sendToNamed } from '../torture/api.ts'
import { eligibleUsers } from '../torture/people.ts'
import { repeat } from '../torture/repeat.ts'
import type { World } from '../torture/world.ts'

/** Someone who talks about a swap, and reads. */
type Person = { token: string; userId: number; swapId: number }
export type Callers = { url: string; token: string; people: Person[] }

const PAIRS = 5
const PURGED = 2
const PAUSE_MS = 50

/** Pairs in accepted swaps, a phone each. */
export async function preparePeople({ pool }: World, url: string): Promise<Person[]> {
  const people: Person[] = []
  for (let swapId = 1; swapId <= PAIRS; swapId++) {
    const pair = [await register(url), await register(url)] as const
    await pool.query(
      `insert into swaps (swap_id, requester_id, owner_id, status, expires_at, accepted_at, responded_at, created_at,
         updated_at)
       overriding system value values ($1, $2, $3, 'accepted', now(), now(), now(), now(), now())`,
      [swapId, pair[0].userId, pair[1].userId],
    )
    for (const { token, userId } of pair) {
      people.push({ token, userId, swapId })
      const phone = { token: `ExponentPushToken[soak-${userId}]`, device_id: 'phone', platform: 'ios' }
      await post(url, token, '/api/user/save-phone-token', phone)
    }
  }
  return people
}

/** Campaigns, half of them stopped, single pushes, chats and inboxes for a time; gives the tokens that it purges. */
export async function loadFor(
  ms: number,
  world: World,
  callers: Callers & { isPurging: boolean },
): Promise<Set<string>> {
  const { pool, random } = world
  const { url, token, people, isPurging } = callers
  const users = await eligibleUsers(pool)
  const [leaving, staying] = [users.slice(0, PURGED), users.slice(PURGED)]
  const signal = AbortSignal.timeout(ms)
  let campaigns = 0
  const someone = () => random.pick(people as [Person, ...Person[]])
  const [purged] = await Promise.all([
    isPurging ? purgeAfter(ms / 2, world, leaving) : [],
    repeat(ms / 4, signal, async () => {
      const messageId = await sendToAll(url, token)
      await sleep(random.between(0, 100))
      // It may be over by then.
      if (++campaigns % 2 === 0) await post(url, token, `/api/admin/notifications/${messageId}/stop`, {}, 409)
    }),
    repeat(PAUSE_MS, signal, () => {
      const body = { ...MESSAGE, user_ids: [random.pick(staying as [number, ...number[]])], promotional: false }
      return sendToNamed(url, token, body)
    }),
    repeat(PAUSE_MS, signal, () => talk(url, someone())),
    repeat(PAUSE_MS, signal, () => readInbox(url, someone())),
  ])
  return new Set(purged)
}

/** Says something, and reads what the other said last. */
async function talk(url: string, { token, swapId }: Person): Promise<void> {
  const chat = `/api/v1/swaps/${swapId}`
  expectStatus(201, await call(url, 'POST', `${chat}/messages`, { token, body: { text: 'On Saturday at ten?' } }))
  const { text } = expectStatus(200, await call(url, 'GET', `${chat}/messages`, { token }))
  const [line] = (JSON.parse(text) as { data: { id: number }[] }).data
  if (line) await post(url, token, `${chat}/read`, { message_id: line.id })
}

async function readInbox(url: string, { token }: Person): Promise<void> {
  const { text } = expectStatus(200, await call(url, 'GET', '/api/v1/inbox?state=unread', { token }))
  const [first, second, third] = (JSON.parse(text) as { data: { message_id: number }[] }).data
  await post(url, token, '/api/v1/inbox/seen', {})
  // An entry may be let go meanwhile.
  if (first) await post(url, token, `/api/v1/inbox/${first.message_id}/read`, {}, 404)
  if (second) await post(url, token, `/api/v1/inbox/${second.message_id}/archive`, {}, 404)
  if (third) await post(url, token, '/api/v1/inbox/read', { up_to: third.message_id }, 404)
  expectStatus(200, await call(url, 'GET', '/api/v1/badge', { token }))
}

async function post(url: string, token: string, path: string, body: object, forgiven?: number): Promise<void> {
  const answer = await call(url, 'POST', path, { token, body })
  if (answer.status !== forgiven) expectStatus(200, answer)
}

/** Their accounts count as deleted a month ago. */
async function purgeAfter(ms: number, { pool }: World, userIds: number[]): Promise<string[]> {
  await sleep(ms)
  const { rows } = await pool.query<{ token: string }>(
    `with gone as (update users set deleted_at = now(), purge_after = now() where user_id = any($1) returning user_id)
     select token from mobile_devices join gone using (user_id)`,
    [userIds],
  )
  return rows.map((row) => row.token)
}
