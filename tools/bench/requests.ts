import { fileURLToPath } from 'node:url'
import { startCampaign } from './campaign.ts'
import { CALLERS, toCalls, load, openSessions } from './callers.ts'
import { ADMIN, signIn } from './client.ts'
import { openLoop } from './open-loop.ts'
import type { Bench } from './setup.ts'

const SECONDS = 8
const PACE = 600
const PEOPLE_WITH_NEW_PHONES = 10_000
const INBOX = '/api/notification'

export type RequestFigures = {
  inbox: number
  bareInbox: number
  inboxP99At1000: number
  newTokens: number
  knownTokens: number
}

/** Requests a second that one API process answers, against a bare handler that runs the same query and nothing else. */
export async function measureRequests(bench: Bench): Promise<RequestFigures> {
  const web = await bench.service({ ...ADMIN, PROCESS: 'web', EXPO_BASE_URL: 'http://127.0.0.1:9' })
  const bare = await bench.script(fileURLToPath(new URL('bare-server.ts', import.meta.url)), {
    CALLERS: String(CALLERS),
  })
  try {
    const callers = await openSessions(bench)
    const inbox = toCalls(callers, INBOX)
    const ours = await load(web.url, inbox, SECONDS)
    const theirs = await load(bare.url, inbox, SECONDS)
    const paced = await openLoop(web.url, inbox, { perSecond: 1_000, seconds: SECONDS })
    const counter = { next: 0 }
    // A person has at most 20 phones, and the next would replace one.
    const many = await openSessions(bench, PEOPLE_WITH_NEW_PHONES)
    const phones = many.map(({ headers }) => ({
      method: 'POST' as const,
      path: '/api/user/save-phone-token',
      headers: { ...headers, 'content-type': 'application/json' },
      setupRequest: (request: object) => ({ ...request, body: registration(`new-${counter.next++}`) }),
    }))
    const fresh = await load(web.url, phones, SECONDS)
    const known = callers.map(({ userId, headers }) => ({
      method: 'POST' as const,
      path: '/api/user/save-phone-token',
      headers: { ...headers, 'content-type': 'application/json' },
      body: registration(`known-${userId}`),
    }))
    const saves = await load(web.url, known, SECONDS)
    return {
      inbox: ours.perSecond,
      bareInbox: theirs.perSecond,
      inboxP99At1000: paced.p99,
      newTokens: fresh.perSecond,
      knownTokens: saves.perSecond,
    }
  } finally {
    await web.stop()
    await bare.stop()
  }
}

/** The inbox at 1,000 requests a second while a campaign goes out at 600 a second; latencies in milliseconds. */
export async function measureInboxDuringCampaign(bench: Bench): Promise<{ p50: number; p99: number; pace: number }> {
  const simulator = await bench.simulator({ latencyMs: 50, ratePerSecond: PACE })
  const settings = { EXPO_BASE_URL: simulator.url, PUSH_RATE_PER_SECOND: String(PACE) }
  const web = await bench.service({ ...settings, ...ADMIN, PROCESS: 'web' })
  const worker = await bench.service({ ...settings, PROCESS: 'worker' })
  try {
    const inbox = toCalls(await openSessions(bench), INBOX)
    const api = await signIn(web.url)
    const campaign = await startCampaign(api)
    // The campaign runs by then, and the process has seen every caller.
    await openLoop(web.url, inbox, { perSecond: 500, seconds: 4 })
    const before = await readSent(bench, campaign)
    const latencies = await openLoop(web.url, inbox, { perSecond: 1_000, seconds: SECONDS })
    const pace = Math.round(((await readSent(bench, campaign)) - before) / SECONDS)
    await api.post(`/api/admin/promotional-notifications/${campaign}/stop`, {})
    return { ...latencies, pace }
  } finally {
    await worker.stop()
    await web.stop()
    await simulator.stop()
  }
}

async function readSent({ pool }: Bench, messageId: number): Promise<number> {
  const { rows } = await pool.query<{ n: string }>('select sum(sent) as n from message_counts where message_id = $1', [
    messageId,
  ])
  return Number(rows[0]?.n)
}

function registration(phone: string): string {
  return JSON.stringify({ token: `ExponentPushToken[${phone}]`, device_id: phone, platform: 'ios' })
}
