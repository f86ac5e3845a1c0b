// Slow: a second or more for each test, or five for the file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readCopies, send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { manage } from '../../../test/support/manage.ts'
import { startTwoProviders, type TwoProviders } from '../../../test/support/two-providers.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { settle } from '../pipeline/settle.ts'
import { beginRestore, doubtUnsent, endRestore, expectRestoreEnded } from './restored.ts'

let two: TwoProviders

beforeAll(async () => {
  two = await startTwoProviders()
})

afterAll(() => two.service.close())

/** Resumes, and moves time on past all due times and leases. */
async function goOn(): Promise<void> {
  expect((await two.resume()).statusCode).toBe(200)
  await two.service.clock.tick(61_000)
  await sweep(two.service.deps)
  await drain(two.service)
}

describe('after a backup was restored', () => {
  test('nothing is sent until somebody resumes, and an alert says why', async () => {
    const messageId = await send(two.service, await two.people('e'))
    await endRestore(two.service.deps)
    await drain(two.service)
    await sweep(two.service.deps)
    expect(await two.status()).toMatchObject({
      providers: [{ breaker: 'halted', code: 'Restored' }, { breaker: 'halted' }],
      alerts: [{ code: 'Restored', detail: expect.stringContaining('restored from a backup') as string }],
    })
    expect(await two.messageStatus(messageId)).toEqual({ status: 'paused', pause_reason: 'Restored' })
    expect(await readCopies(two.service, messageId)).toEqual([])
    await goOn()
    expect(await readCopies(two.service, messageId)).toMatchObject([{ is_send: true }])
  })

  test('no process starts until the restore has ended', async () => {
    const { deps } = two.service
    await beginRestore(deps)
    await expect(expectRestoreEnded(deps.db)).rejects.toThrow('run `manage after-recovery`')
    const { DATABASE_URL } = deps.config
    for (const command of ['resume', 'check-list-counts'])
      expect(await manage([command], { DATABASE_URL, JWT_SECRET: deps.config.JWT_SECRET })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('A restore into this database has not ended.') as string,
      })
    expect((await two.status()).providers).toMatchObject([{ code: 'Restoring' }, { code: 'Restoring' }])
    await endRestore(deps)
    await expectRestoreEnded(deps.db)
    await goOn()
  })

  test('each push of an unfinished message is a possible duplicate, whatever its state was', async () => {
    const { service } = two
    const over = await send(service, await two.people('em'))
    await drain(service)
    const inFlight = await send(service, await two.people('e', 'e'))
    await callAll(service, await claimAll(service, inFlight))
    service.simulator.script([{ match: 'send', ticketErrors: { 0: 'ProviderError' } }])
    const retried = await send(service, await two.people('e', 'e'))
    await drain(service)
    const fresh = await send(service, await two.people('e', 'em', '', 'm'))

    await endRestore(service.deps)
    expect(await doubtUnsent(service.deps)).toEqual({ messages: 3, copies: 3 })
    expect(await readCopies(service, inFlight)).toMatchObject([
      { error_message: 'OutcomeUnknown' },
      { error_message: 'OutcomeUnknown' },
    ])
    await goOn()
    for (const messageId of [over, inFlight, retried, fresh])
      expect((await two.messageStatus(messageId)).status).toBe('completed')
    expect((await readCopies(service, over)).map((copy) => copy.possible_duplicates)).toEqual([0, 0])
    // The first of the two had its ticket before the backup.
    const doubted = (await readCopies(service, retried)).filter((copy) => copy.possible_duplicates > 0)
    expect(doubted).toMatchObject([{ is_send: true, possible_duplicates: 1 }])
    for (const messageId of [inFlight, fresh]) {
      const copies = await readCopies(service, messageId)
      expect(copies).toEqual(copies.map((copy) => ({ ...copy, is_send: true, possible_duplicates: 1 })))
    }
    expect(await storedCounts(service, fresh)).toMatchObject({
      notified: 3,
      skipped: 1,
      sent: 4,
      possible_duplicates: 4,
    })
    await two.expectTrue(fresh)
  })

  test('a push of which no request leaves at first is one possible duplicate', async () => {
    const { service } = two
    const messageId = await send(service, await two.people('e'))
    await doubtUnsent(service.deps)
    for (let times = 0; times < 2; times++) {
      const claim = await claimAll(service, messageId)
      const unsent = claim.requests.map(async (request) => {
        return { request, ...(await service.deps.provider.submit(request, () => false)) }
      })
      await settle(service.deps, claim, await Promise.all(unsent))
      await service.clock.tick(61_000)
    }
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, possible_duplicates: 1 }])
  })

  test('a push that expires unsent ends as unknown, because it may have arrived', async () => {
    const { service } = two
    const messageId = await send(service, await two.people('e', 'm'))
    await doubtUnsent(service.deps)
    const past = new Date(service.clock.now() - 1)
    await service.deps.db
      .updateTable('messages')
      .set({ expires_at: past })
      .where('message_id', '=', messageId)
      .execute()
    await sweep(service.deps)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: false, error_message: 'OutcomeUnknown', possible_duplicates: 0, settled_at: expect.any(Date) as Date },
      { is_send: false, error_message: 'OutcomeUnknown' },
    ])
    expect(await storedCounts(service, messageId)).toMatchObject({ failed: 2, possible_duplicates: 0 })
  })
})
