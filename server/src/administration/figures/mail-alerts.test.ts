// Slow: a second or more for each test, or five for the file.
import { expect } from 'vitest'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { insertAccount } from '../../../test/support/accounts.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { mailTest as test, type MailService } from '../../../test/support/mail.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { queueMail } from '../../identity/mails/mails.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { resumeByHand } from '../../push/pipeline/halt.ts'
import { findInstallationFigures } from './figures.queries.ts'

const MINUTE_MS = 60_000

test('a mail that waits for ten minutes raises an alert until it is sent; the metrics show both', async ({
  service,
}) => {
  service.mailbox.setMode('busy')
  await queueOne(service)
  await service.deliver()
  expect(await openAlerts(service)).toEqual([])
  await service.clock.setTime(service.clock.now() + 11 * MINUTE_MS)
  await service.deliver()
  expect(await openAlerts(service)).toEqual(['MailsLate'])
  await resumeByHand(service.deps, THE_SERVICE)
  const late = service.deps.db.selectFrom('alerts').select('resolved_at').where('code', '=', 'MailsLate')
  expect(await late.execute()).toEqual([{ resolved_at: null }])
  expect(await toFigures(service)).toMatchObject({ mails: 1, oldest_mail: 660, alerts: ['MailsLate'] })
  expect(await tries(service)).toEqual({ sent: 0, refused: 0, failed: 0, postponed: 2 })
  service.mailbox.setMode('normal')
  await service.clock.setTime(service.clock.now() + 5 * MINUTE_MS)
  await service.deliver()
  expect(await openAlerts(service)).toEqual([])
  expect(await toFigures(service)).toMatchObject({ mails: 0, oldest_mail: 0, alerts: [] })
})

test('a mail that is given up raises an alert for an hour; the refusal of one recipient does not, that of most does', async ({
  service,
}) => {
  await service.clock.setTime(service.clock.now() + 120 * MINUTE_MS)
  service.mailbox.setMode('refuses')
  await queueOne(service)
  await service.deliver()
  expect(await openAlerts(service)).toEqual([])
  await Promise.all(Array.from({ length: 9 }, () => queueOne(service)))
  await service.deliver()
  expect(await openAlerts(service)).toEqual(['MailsFailed'])
  service.mailbox.setMode('normal')
  await service.clock.setTime(service.clock.now() + 61 * MINUTE_MS)
  expect(await openAlerts(service)).toEqual([])

  await queueOne(service)
  await service.clock.setTime(service.clock.now() + 49 * 60 * MINUTE_MS)
  await service.deliver()
  expect(await openAlerts(service)).toEqual(['MailsFailed'])
  expect(await tries(service)).toMatchObject({ refused: 10, failed: 1 })
})

test('the metrics show how long badges wait to be written to the realtime database', async ({ service }) => {
  const { deps, given } = service
  const { userId } = await given.user()
  const ago = (seconds: number) => new Date(deps.clock.now() - seconds * 1_000)
  expect(await toFigures(service)).toMatchObject({ oldest_badge_write: 0 })
  await deps.db
    .insertInto('badge_nodes')
    .values({ user_id: userId, due_at: ago(90) })
    .execute()
  expect(await toFigures(service)).toMatchObject({ oldest_badge_write: 90 })
  const zeros = Array<number>(64).fill(0)
  const unwritten = '1'.padEnd(64, '0')
  await deps.db
    .insertInto('unread')
    .values({ block: 1_000, entries: zeros, lines: zeros, changed_at: ago(400), unwritten })
    .execute()
  expect(await toFigures(service)).toMatchObject({ oldest_badge_write: 400 })
})

async function queueOne({ deps }: MailService): Promise<void> {
  const { email, user_id: userId } = await insertAccount(deps)
  await commitWork(deps, queueMail, { kind: 'password_changed', userId, address: email })
}

/** The codes of the alerts that are open after the chores of a minute. */
async function openAlerts({ deps }: MailService): Promise<string[]> {
  await sweep(deps)
  const open = await deps.db.selectFrom('alerts').select('code').where('resolved_at', 'is', null).execute()
  return open.map(({ code }) => code)
}

function toFigures({ deps }: MailService) {
  return findInstallationFigures(deps, fromNow(deps.clock))
}

async function tries({ deps }: MailService): Promise<Record<string, number>> {
  const text = await deps.metrics.registry.text()
  const lines = [...text.matchAll(/^swapbell_mails_total\{outcome="(\w+)"\} (\d+)$/gm)]
  return Object.fromEntries(lines.map(([, outcome = '', count]) => [outcome, Number(count)]))
}
