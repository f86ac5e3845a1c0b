import { setTimeout as sleep } from 'node:timers/promises'
import { DEMO_PASSWORD, demoEmail } from '../accounts.ts'
import { act } from './act.ts'
import { createApp, type Call } from './calls.ts'

// They are on the wall of phones, so that their phones ring.
const PEOPLE = 10

/**
 * A process of `npm start` in which demonstration people use the API at API_URL as the app does, one of them every
 * DEMO_PACE_SECONDS on average. Ends on SIGTERM, and with the process that started it.
 */
async function main(): Promise<void> {
  const { API_URL: api = '', DEMO_PACE_SECONDS: pace = '6' } = process.env
  const ending = new AbortController()
  const end = () => ending.abort()
  process.on('SIGTERM', end)
  process.on('disconnect', end)
  process.send?.({ ready: true, url: api })
  const apps = Array.from({ length: PEOPLE }, (_, index) =>
    createApp(api, { email: demoEmail(index + 1), password: DEMO_PASSWORD }, ending.signal),
  )
  const ids = await fetchIds(apps)
  while (!ending.signal.aborted) {
    const who = Math.floor(Math.random() * apps.length)
    const app = apps[who]
    const others = ids.filter((_, index) => index !== who)
    const deed = app && (await act(app, Math.random, others))
    if (deed !== undefined) process.stdout.write(`${new Date().toISOString()} ${demoEmail(who + 1)}: ${deed}\n`)
    // The rest is between half and one and a half of the pace.
    const restMs = Number(pace) * 1_000 * (0.5 + Math.random())
    await sleep(restMs, undefined, { signal: ending.signal }).catch(() => undefined)
  }
  process.disconnect?.()
}

/** The ids of those who can sign in. */
async function fetchIds(apps: Call[]): Promise<number[]> {
  const ids: number[] = []
  for (const app of apps) {
    const { body } = await app('GET', '/api/v1/me')
    const id = (body['data'] as { id?: number } | undefined)?.id
    if (id !== undefined) ids.push(id)
  }
  return ids
}

await main()
