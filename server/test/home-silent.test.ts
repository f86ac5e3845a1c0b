// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../src/administration/audit/verify.ts'
import { createContact } from '../src/platform/jobs/contact.ts'
import { startPoller } from '../src/push/pipeline/poller.ts'
import { sweepChores } from '../src/push/pipeline/sweep.ts'
import { eachHome } from '../src/push/records/home.queries.ts'
import { claimEach } from './support/attempt.ts'
import { expectTruth, send, untilRetry } from './support/campaign.ts'
import type { GivenUser } from './support/given.ts'
import { openDividedWorld, type DividedWorld } from './support/divided-world.ts'
import { drain } from './support/drain.ts'

const NOTHING_WAITS = { lanes: new Map(), badges: () => undefined, ahead: () => undefined, hears: () => true }
// A process that stands still for five is not steady.
const STEADY_MS = 6_000

const CITUS_URL = process.env['CITUS_URL'] ?? ''

describe.skipIf(CITUS_URL === '')('while a worker of a Citus is silent (skipped unless CITUS_URL names one)', () => {
  let world: DividedWorld

  beforeAll(async () => {
    world = await openDividedWorld(CITUS_URL)
  })

  afterAll(() => world.close())

  test('what needs it is refused at once, names its homes, and is served when it answers again', async () => {
    const { service, link, lost, other, homes } = world
    const { headers: admin } = await service.given.admin()
    const reach = (method: 'GET' | 'POST', url: string, headers = lost.headers, payload?: object) =>
      service.app.inject({ method, url, headers, ...(payload && { payload }) })
    const messageId = await send(service, [lost, other])
    expect((await reach('GET', '/api/v1/inbox')).statusCode).toBe(200)
    link.stall()
    // Whoever comes first waits until it is known.
    const knows = async () => {
      await reach('GET', '/api/v1/inbox')
      return service.deps.pool.findSilence!()
    }
    await expect.poll(knows, { timeout: 60_000 }).toBeDefined()
    const refused: Parameters<typeof reach>[] = [
      ['GET', '/api/v1/inbox'],
      ['GET', '/api/v1/badge'],
      ['POST', '/api/v1/inbox/seen', lost.headers, {}],
      ['POST', '/api/v1/inbox/read', lost.headers, { up_to: messageId }],
      ['POST', '/api/admin/send-notification', admin, toPerson(lost)],
      ['GET', `/api/admin/notifications/${messageId}`, admin],
    ]
    for (const call of refused) {
      const answer = await reach(...call)
      expect.soft([answer.statusCode, answer.headers['retry-after']], call[1]).toEqual([503, '5'])
      expect.soft(answer.json<{ error: string }>().error, call[1]).toMatch(/its homes \(\d+(, \d+)*\)/)
    }
    expect((await reach('GET', '/api/v1/inbox', other.headers)).statusCode).toBe(200)
    expect((await reach('POST', '/api/admin/send-notification', admin, toPerson(other))).statusCode).toBe(202)
    const report = `/api/admin/notifications/${messageId}`
    const paused = (await reach('POST', `${report}/pause`, admin, {})).json()
    expect(paused.data).toMatchObject({ status: 'paused', homes_not_counted: [...homes] })
    const asked: number[] = []
    const round = eachHome(service.deps.db, async (home) => asked.push(home))
    await expect(round).rejects.toThrow('the database sent nothing for too long')
    expect(asked.filter((home) => homes.has(home))).toEqual([])
    link.flow()
    await expect.poll(async () => (await reach('GET', '/api/v1/inbox')).statusCode, { timeout: 30_000 }).toBe(200)
    expect((await reach('POST', '/api/admin/send-notification', admin, toPerson(lost))).statusCode).toBe(202)
    expect((await reach('POST', `${report}/resume`, admin, {})).statusCode).toBe(200)
    await drain(service)
    await expectTruth(service, messageId)
  })

  test('that falls silent in a commit keeps no other change from the audit log', async () => {
    const { service, link, lost, other } = world
    const { db, pool } = service.deps
    const tell = async (person: GivenUser) => {
      const { headers } = await service.given.admin()
      const payload = toPerson(person)
      return service.app.inject({ method: 'POST', url: '/api/admin/send-notification', headers, payload })
    }
    const readTold = () =>
      db.selectFrom('audit_log').select('entity_id').where('action', '=', 'notification.send').execute()
    await sql`create function wait_for_the_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return null; end $$`.execute(db)
    // What is deferred is the last before the commit.
    await sql`create constraint trigger late after insert on messages deferrable initially deferred for each row
      when (new.recipient_id = ${sql.lit(lost.userId)}) execute function wait_for_the_test()`.execute(db)
    const holder = await pool.connect()
    await holder.query('select pg_advisory_lock(1)')
    let isTold = false
    const stuck = tell(lost).finally(() => (isTold = true))
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
    const isAtCommit = async () => (await waiting.execute(db)).rows.length === 1
    await expect.poll(isAtCommit, { timeout: 20_000, interval: 20 }).toBe(true)
    link.stall()
    await holder.query('select pg_advisory_unlock(1)')
    holder.release()
    const told = (await readTold()).length
    expect((await tell(other)).statusCode).toBe(202)
    expect(await readTold()).toHaveLength(told + 1)
    expect(isTold).toBe(false)
    link.flow()
    expect((await stuck).statusCode).toBe(202)
    expect(await readTold()).toHaveLength(told + 2)
    expect((await verifyAudit(service.deps)).broken).toBeUndefined()
    await sql`drop function wait_for_the_test cascade`.execute(db)
    await drain(service)
  })

  test('a process sweeps for other homes, and not for its own', async () => {
    const { service, link, lost, other, readOutcome } = world
    const messageId = await send(service, [lost, other])
    await claimEach(service, messageId)
    await untilRetry(service)
    const contact = createContact()
    link.stall()
    const ending = new AbortController()
    const polling = startPoller(service.deps, { ...NOTHING_WAITS, contact }, ending.signal)
    expect(await contact.steadyFor(STEADY_MS, AbortSignal.timeout(40_000))).toBe(true)
    const chores = sweepChores(service.deps, (home) => contact.hasHomeFor(STEADY_MS, home))
    await chores['recover abandoned attempts']!()
    ending.abort()
    await polling
    link.flow()
    expect(await readOutcome(messageId, other)).toEqual([{ outcome: 'unknown' }])
    expect(await readOutcome(messageId, lost)).toEqual([{ outcome: null }])
  })
})

function toPerson({ userId }: GivenUser) {
  return { title: 'Hello', text: 'There', user_ids: [userId], promotional: false }
}
