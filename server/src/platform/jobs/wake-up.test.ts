// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, tell, usersWithPhones } from '../../../test/support/campaign.ts'
import { openDeafPooler } from '../../../test/support/deaf-pooler.ts'
import { openLink } from '../../../test/support/link.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { pauseMessage, resumeMessage } from '../../push/messages/control.ts'
import { afterCommit, inTransaction } from '../db/transaction.ts'
import { listenForWork, notifyWorkers } from './wake-up.ts'
import { commitWork } from '../../../test/support/commit.ts'

/** A listener at a port of this machine, and how often it was woken. */
function listenAt({ deps }: Service, port: number) {
  const url = new URL(deps.config.DATABASE_URL)
  url.port = String(port)
  const woken: { times: number; beginnings: number; queues: string[] } = { times: 0, beginnings: 0, queues: [] }
  const listener = listenForWork({ url: url.href, pool: deps.pool, log: deps.log }, (queues) => {
    woken.times++
    if (queues === undefined) woken.beginnings++
    else woken.queues.push(...queues)
  })
  onTestFinished(() => listener.stop())
  return { listener, woken }
}

const notify = ({ pool }: Deps) => notifyWorkers(pool, [])
const toPort = ({ deps }: Service) => Number(new URL(deps.config.DATABASE_URL).port)

test('a listener is woken by each notification', async ({ service, deps }) => {
  const { listener, woken } = listenAt(service, toPort(service))
  await expect.poll(() => listener.hears()).toBe(true)
  for (let times = 1; times <= 3; times++) {
    const before = woken.times
    await notify(deps)
    await expect.poll(() => woken.times).toBe(before + 1)
  }
})

test('whatever makes work wakes the listeners once it is committed, and a job names its queue', async ({
  service,
  deps,
  given,
  app,
}) => {
  const { listener, woken } = listenAt(service, toPort(service))
  await expect.poll(() => listener.hears()).toBe(true)
  const { headers } = await given.admin()
  const content = { title: 'Hello', text: 'There' }
  const wakes = async (work: () => Promise<unknown>) => {
    await sleep(50)
    const before = woken.times
    await work()
    await expect.poll(() => woken.times).toBeGreaterThan(before)
  }
  const names = async (queue: string, work: () => Promise<unknown>) => {
    woken.queues.length = 0
    await wakes(work)
    await expect.poll(() => woken.queues).toEqual([queue])
  }
  const users = await usersWithPhones(service, 2)
  let campaign = 0
  await wakes(() => send(service, users, { promotional: false }))
  await wakes(async () => (campaign = await send(service, users)))
  await names('coordinate', () =>
    app.inject({ method: 'POST', url: '/api/admin/send-notification-all', headers, payload: content }),
  )
  await names('fetch-receipts', () => app.inject({ url: '/api/admin/process-receipts', headers }))
  await wakes(() => tell(service, [users[0]!]))
  await commitWork(deps, pauseMessage, campaign)
  await wakes(() => commitWork(deps, resumeMessage, campaign))
  await wakes(() => app.inject({ method: 'POST', url: '/api/admin/push-status/resume', headers }))
})

test('a listener that lost its connection listens again, and looks for what it missed', async ({ service, deps }) => {
  const link = await openLink(toPort(service))
  onTestFinished(() => link.close())
  const { listener, woken } = listenAt(service, link.port)
  await expect.poll(() => listener.hears()).toBe(true)
  link.down()
  await expect.poll(() => listener.hears()).toBe(false)
  expect(woken.beginnings).toBe(1)
  await notify(deps)
  link.flow()
  await expect.poll(() => listener.hears()).toBe(true)
  expect(woken.beginnings).toBe(2)
  const again = woken.times
  await notify(deps)
  await expect.poll(() => woken.times).toBe(again + 1)
})

test('a listener behind a pooler that passes on no notification notices and logs it', async ({ service, deps }) => {
  const pooler = await openDeafPooler(toPort(service))
  onTestFinished(() => pooler.close())
  const { listener, woken } = listenAt(service, pooler.port)
  const said = () => service.logged().includes('notifications of new work do not arrive')
  await expect.poll(said).toBe(true)
  await notify(deps)
  await sleep(200)
  expect(listener.hears()).toBe(false)
  expect(woken.times).toBe(0)
  const { rows } = await deps.pool.query(`select from pg_stat_activity
    where datname = current_database() and query ilike 'listen swapbell_work%'`)
  expect(rows).toEqual([])
})

test('work after a commit runs after it, and never after a rollback', async ({ deps }) => {
  const seen: string[] = []
  await inTransaction(deps.db, async (tx) => {
    afterCommit(tx, () => seen.push('after'))
    await Promise.resolve(seen.push('within'))
  })
  expect(seen).toEqual(['within', 'after'])
  const failing = inTransaction(deps.db, (tx) => {
    afterCommit(tx, () => seen.push('never'))
    return Promise.reject(new Error('no'))
  })
  await expect(failing).rejects.toThrow('no')
  expect(seen).toEqual(['within', 'after'])
  afterCommit(deps.db, () => seen.push('at once'))
  expect(seen.at(-1)).toBe('at once')
})

test('work after a commit that fails, even as a transaction may, does not repeat the transaction', async ({ deps }) => {
  let times = 0
  const failing = inTransaction(deps.db, async (tx) => {
    times++
    afterCommit(tx, () => Promise.reject(Object.assign(new Error('too late'), { code: '40001' })))
    await sql`select 1`.execute(tx)
  })
  await expect(failing).rejects.toThrow('too late')
  expect(times).toBe(1)
})
