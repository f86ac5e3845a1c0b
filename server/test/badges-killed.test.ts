// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../src/platform/shared/must.ts'
import { listBadges } from '../src/push/badges/badges.queries.ts'
import { COMPILED } from './support/environment.ts'
import { startFirebase, type Firebase } from './support/firebase.ts'
import { startRealTime, type RealTime } from './support/real-time.ts'
import { sendToUsers } from './support/send.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let real: RealTime
let firebase: Firebase

beforeAll(async () => {
  real = await startRealTime()
  firebase = await startFirebase()
})

afterAll(async () => {
  await real.close()
  await firebase.close()
})

test.for<[string, 'cut before' | undefined | { delayMs: number }, number]>([
  ['before its write is made', 'cut before', 1],
  ['after its write is made and before that is noted', undefined, 1],
  ['while its write is on the way, which arrives after that of the next worker', { delayMs: 4_000 }, 2],
])('a worker that writes badges is killed %s: in the end the badge is what the rows say', async ([, fate, sent]) => {
  const { userId } = await real.given.user({ devices: [{ platform: 'ios' }] })
  const path = `badges/u${userId}`
  await send(userId)
  const first = startWorker()
  let lastWord = 0
  await new Promise<void>((resolve) => {
    firebase.fault = (method, at) => {
      if (method !== 'PUT' || at !== path) return undefined
      first.kill('SIGKILL')
      firebase.fault = () => undefined
      lastWord = Date.now() + (typeof fate === 'object' ? fate.delayMs : 0)
      resolve()
      return fate
    }
  })
  await once(first, 'exit')
  if (sent === 2) await send(userId)
  const second = startWorker()
  try {
    await expect.poll(() => readBadge(userId)).toMatchObject({ notifications: sent })
    // The lease of the killed worker has ended.
    const due = { due_at: new Date(real.deps.clock.now()) }
    await real.deps.db.updateTable('badge_nodes').set(due).where('due_at', 'is not', null).execute()
    await expect.poll(() => firebase.at(path)).toMatchObject({ total: sent, notifications: sent })
    await expect.poll(() => Date.now()).toBeGreaterThan(lastWord + 500)
    const { version } = await readBadge(userId)
    await expect.poll(() => readWritten(userId)).toBe(version)
    expect(firebase.at(path)).toMatchObject({ version, total: sent })
    const versions = firebase.history(path).map((node) => (node as { version: number }).version)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  } finally {
    second.kill('SIGKILL')
    await once(second, 'exit')
  }
})

async function send(userId: number): Promise<void> {
  const content = { title: 'Hello', text: 'There' }
  const about = { origin: 'named', promotional: false, senderId: null } as const
  await sendToUsers(real.deps, { ...about, userIds: [userId], content })
}

async function readBadge(userId: number) {
  return must((await listBadges(real.deps.db, [userId]))[0], 'badge')
}

async function readWritten(userId: number): Promise<number> {
  const node = real.deps.db.selectFrom('badge_nodes').select('written_version').where('user_id', '=', userId)
  return (await node.executeTakeFirstOrThrow()).written_version
}

function startWorker(): ChildProcess {
  return spawn(process.execPath, [MAIN], {
    env: {
      ...COMPILED,
      PATH: process.env['PATH'],
      PROCESS: 'worker',
      DATABASE_URL: real.databaseUrl,
      JWT_SECRET: real.deps.config.JWT_SECRET,
      EXPO_BASE_URL: real.simulator.url,
      FIREBASE_DATABASE_URL: firebase.url,
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
