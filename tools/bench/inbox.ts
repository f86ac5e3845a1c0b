import { toCalls, openSessions } from './callers.ts'
import { ADMIN, signIn, type Api } from './client.ts'
import { openLoop } from './open-loop.ts'
import type { Bench } from './setup.ts'

const PER_SECOND = 1_000
const SECONDS = 10
const WARM_UP_SECONDS = 3
const ROUNDS = 15

type Latencies = { what: string; p50: number; p95: number }

/** Pages of people's inboxes and their badges at 1,000 calls a second, and an administrator's pages one by one. */
export async function measureInbox(bench: Bench): Promise<Latencies[]> {
  await using web = await bench.service({ ...ADMIN, PROCESS: 'web', EXPO_BASE_URL: 'http://127.0.0.1:9' })
  const callers = await openSessions(bench)
  const figures: Latencies[] = []
  for (const path of ['/api/v1/inbox', '/api/v1/badge']) {
    await openLoop(web.url, toCalls(callers, path), { perSecond: PER_SECOND, seconds: WARM_UP_SECONDS })
    const { p50, p95 } = await openLoop(web.url, toCalls(callers, path), { perSecond: PER_SECOND, seconds: SECONDS })
    figures.push({ what: `GET ${path} at ${PER_SECOND}/s`, p50, p95 })
  }
  return [...figures, ...(await timePages(bench, await signIn(web.url)))]
}

async function timePages({ pool }: Bench, api: Api): Promise<Latencies[]> {
  const { rows } = await pool.query<{ message_id: string; user_id: string }>(
    `select max(message_id) as message_id, (select max(user_id) from users where role = 'user') as user_id from messages`,
  )
  const [{ message_id: messageId, user_id: userId } = { message_id: '', user_id: '' }] = rows
  const campaign = `/api/admin/notifications/${messageId}`
  const pages = {
    'list of campaigns': '/api/admin/promotional-notifications',
    'a campaign, its phones': campaign,
    'its failed phones': `${campaign}?status=failed`,
    'its people': `${campaign}/people`,
    'its skipped people': `${campaign}/people?status=skipped`,
    'a person in it, by name': `${campaign}/people?search=User%20${userId}`,
    'pushes of a person': `/api/admin/users/${userId}/notifications`,
    'the status of sending': '/api/admin/push-status',
  }
  const figures: Latencies[] = []
  for (const [what, path] of Object.entries(pages)) figures.push({ what, ...(await time(() => api.get(path))) })
  return figures
}

async function time(ask: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  await ask()
  const taken: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now()
    await ask()
    taken.push(performance.now() - from)
  }
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}
