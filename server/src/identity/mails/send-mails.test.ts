// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { expect } from 'vitest'
import { insertAccount, post } from '../../../test/support/accounts.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { mailTest as test, type MailService } from '../../../test/support/mail.ts'
import { createWakeSignal } from '../../platform/jobs/wake-signal.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork } from '../../platform/work/work.ts'
import { startMails } from './send-mails.ts'
import { queueMail } from './mails.ts'
import { renderMail } from '../../marketplace/texts/mails.ts'

const MINUTE_MS = 60_000

test('a mail exists exactly when its transaction commits, and leaves once', async ({ service }) => {
  const { email, user_id: userId } = await insertAccount(service.deps)
  const mail = { kind: 'password_changed', userId, address: email } as const
  const rolledBack = inWork(service.deps, THE_SERVICE, async (work) => {
    await queueMail(work, mail)
    throw new Error('rolls back')
  })
  await expect(rolledBack).rejects.toThrow('rolls back')
  expect(await service.mailsTo(email)).toHaveLength(0)
  await commitWork(service.deps, queueMail, mail)
  // Two workers at once.
  await Promise.all([service.deliver(), service.deliver()])
  expect(await service.mailsTo(email)).toHaveLength(1)
})

test('an outage of the mail server delays mails: they are tried again, later each time, and given up in the end', async ({
  service,
}) => {
  const email = await queued(service)
  service.mailbox.setMode('busy')
  const waits = []
  for (let attempt = 0; attempt < 4; attempt++) {
    expect(await service.deliver()).toBe(0)
    const { due_at, error } = await toRow(service, email)
    expect(error).toBe('EENVELOPE')
    waits.push((due_at.getTime() - service.clock.now()) / 1_000)
    await service.clock.setTime(due_at.getTime())
  }
  expect(waits).toEqual([5, 10, 20, 40])
  service.mailbox.setMode('normal')
  expect(await service.mailsTo(email)).toHaveLength(1)
  expect(await toRow(service, email)).toMatchObject({ status: 'sent', attempts: 5, error: null })

  const late = await queued(service)
  service.mailbox.setMode('busy')
  await service.clock.setTime(service.clock.now() + 48 * 60 * MINUTE_MS - 1_000)
  await service.deliver()
  service.mailbox.setMode('normal')
  expect(await toRow(service, late)).toMatchObject({ status: 'failed', error: 'EENVELOPE' })
  const never = await queued(service)
  await service.clock.setTime(service.clock.now() + 48 * 60 * MINUTE_MS)
  expect(await service.mailsTo(never)).toHaveLength(0)
  expect(await toRow(service, never)).toMatchObject({ status: 'failed', error: 'LATE' })
})

test('a mail for a forgotten password that is asked for again during an outage is useful for as long again', async ({
  service,
}) => {
  const { email } = await insertAccount(service.deps)
  const forget = () => post(service.app, '/api/v1/password/forgot', { email })
  service.mailbox.setMode('busy')
  for (const minutes of [0, 29]) {
    await service.clock.setTime(service.clock.now() + minutes * MINUTE_MS)
    expect((await forget()).statusCode).toBe(202)
    await service.deliver()
  }
  service.mailbox.setMode('normal')
  await service.clock.setTime(service.clock.now() + 10 * MINUTE_MS)
  expect(await service.mailsTo(email)).toHaveLength(1)
})

test('a mail that the server refuses for good is not tried again', async ({ service }) => {
  const email = await queued(service)
  service.mailbox.setMode('refuses')
  await service.deliver()
  service.mailbox.setMode('normal')
  expect(await toRow(service, email)).toMatchObject({ status: 'failed', error: 'SMTP 550', attempts: 1 })
  await service.clock.setTime(service.clock.now() + 60 * MINUTE_MS)
  expect(await service.mailsTo(email)).toHaveLength(0)
})

test.for(['refuses-sender', 'refuses-relay'] as const)(
  'a mail server that %s, and not the mail, delays mails as an outage does',
  async (mode, { service }) => {
    const email = await queued(service)
    service.mailbox.setMode(mode)
    await service.deliver()
    service.mailbox.setMode('normal')
    expect(await toRow(service, email)).toMatchObject({ status: 'waiting', error: 'EENVELOPE', attempts: 1 })
    await service.clock.setTime(service.clock.now() + MINUTE_MS)
    expect(await service.mailsTo(email)).toHaveLength(1)
  },
)

test('a worker that dies with a mail in hand leaves it to the next, after its lease', async ({ service }) => {
  const email = await queued(service)
  // The state after a kill: only the claim is committed.
  await sql`update mails set attempts = 1, due_at = ${new Date(service.clock.now() + 2 * MINUTE_MS)} where address = ${email}`.execute(
    service.deps.db,
  )
  expect(await service.mailsTo(email)).toHaveLength(0)
  await service.clock.setTime(service.clock.now() + 2 * MINUTE_MS)
  expect(await service.mailsTo(email)).toHaveLength(1)
})

test('a mail that the server accepted is not given up when that cannot be stored, and is sent again', async ({
  service,
}) => {
  const email = await queued(service)
  await service.clock.setTime(service.clock.now() + 48 * 60 * MINUTE_MS - 1_000)
  const { db } = service.deps
  const refuse = sql`create function refuse() returns trigger language plpgsql as $$ begin
    if new.status <> 'waiting' or new.error is not null then raise 'The disk is full.'; end if; return new; end $$`
  await refuse.execute(db)
  await sql`create trigger refuse before update on mails for each row execute function refuse()`.execute(db)
  const logged = service.logged().length
  expect(await service.deliver()).toBe(1)
  await sql`drop trigger refuse on mails`.execute(db)
  expect(await toRow(service, email)).toMatchObject({ status: 'waiting', error: null, attempts: 1 })
  const since = service.logged().slice(logged)
  expect(since).toContain('the outcome of a mail could not be stored; it is sent again')
  expect(since).not.toContain('it is given up')
})

test('the worker sends at once what is announced, and the log holds no address', async ({ service }) => {
  const signal = createWakeSignal()
  service.deps.queue.waiting.set('mails', signal.wake)
  const { loops } = service.deps
  const others = loops.count()
  const ending = new AbortController()
  const sending = startMails(service.deps, renderMail, { work: signal, signal: ending.signal })
  expect(loops.count(), 'with it, a worker that stands still is not live').toBe(others + 1)
  const email = await queued(service)
  await expect.poll(() => service.mailbox.mails().filter(({ to }) => to.includes(email)).length).toBe(1)
  ending.abort()
  await sending
  expect(loops.count()).toBe(others)
  expect(service.logged()).not.toContain(email)
})

async function queued({ deps }: MailService): Promise<string> {
  const { email, user_id: userId } = await insertAccount(deps)
  await commitWork(deps, queueMail, { kind: 'password_changed', userId, address: email })
  return email
}

function toRow({ deps }: MailService, address: string) {
  return deps.db.selectFrom('mails').selectAll().where('address', '=', address).executeTakeFirstOrThrow()
}
