// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { afterEach, describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { claimAll } from '../../../test/support/attempt.ts'
import { calmDown, readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { computeDelay } from '../ledger/retry.ts'

const MINUTE_MS = 60_000

afterEach<{ service: Service }>(async ({ service }) => {
  await calmDown(service)
  await service.deps.db.deleteFrom('alerts').execute()
})

describe('Work that comes back without progress', () => {
  test('waits a minute at first, and from the third time on twice as long each time, up to about an hour', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((times) => computeDelay(times, 60) / MINUTE_MS)
    expect(minutes).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 64, 64])
  })

  test('because it fails before its request steps behind, and the third time an alert names it', async ({
    service,
    deps,
    clock,
  }) => {
    const [ada, bob] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    await refuse(service, ada)
    const messageId = await send(service, [ada])
    for (const wait of [1, 1, 2]) {
      expect(await toAlerts(service)).toEqual([])
      await drain(service)
      expect(await readWaits(service, messageId)).toEqual([wait])
      await clock.tick(wait * MINUTE_MS)
    }
    const [batch] = await deps.db.selectFrom('batches').select('batch_id').where('message_id', '=', messageId).execute()
    const named = expect.stringContaining(`3 times without progress: batch ${batch!.batch_id} of message ${messageId}.`)
    expect(await toAlerts(service)).toEqual([{ code: 'WorkComesBack', detail: named, resolved_at: null }])

    const later = await send(service, [bob])
    await drain(service)
    expect(await readCopies(service, later)).toMatchObject([{ is_send: true }])
    await sql`drop trigger refuse on batches; drop function refuse`.execute(deps.db)
    await expectTruth(service, messageId)
  })

  test('because its workers die steps behind too, and the alert ends an hour after the last time', async ({
    service,
    deps,
    clock,
  }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    for (const wait of [0, 0, 1]) {
      expect(await toAlerts(service)).toEqual([])
      await claimAll(service, messageId)
      await clock.tick(MINUTE_MS + 1)
      await sweep(deps)
      // The attempt began a minute ago, when its lease began.
      expect(await readWaits(service, messageId)).toEqual([wait])
    }
    const detail = expect.stringContaining(`of message ${messageId}`)
    expect(await toAlerts(service)).toEqual([{ code: 'WorkComesBack', detail, resolved_at: null }])
    await clock.tick(MINUTE_MS)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 4 }, { is_send: true }])

    await clock.tick(58 * MINUTE_MS)
    await sweep(deps)
    expect(await toAlerts(service)).toMatchObject([{ resolved_at: null }])
    await clock.tick(MINUTE_MS)
    await sweep(deps)
    expect(await toAlerts(service)).toMatchObject([{ resolved_at: expect.any(Date) as Date }])
  })

  test('of several batches is told in one alert, which says the latest', async ({ service, deps, clock }) => {
    const [ada, bob] = (await usersWithPhones(service, 2)) as [GivenUser, GivenUser]
    await refuse(service, ada, bob)
    const messageIds = [await send(service, [ada]), await send(service, [bob])]
    for (let time = 1; time <= 3; time++) {
      await drain(service)
      await clock.tick(MINUTE_MS)
    }
    await sql`drop trigger refuse on batches; drop function refuse`.execute(deps.db)
    const detail = expect.stringContaining(`of message ${messageIds[1]}`)
    expect(await toAlerts(service)).toEqual([{ code: 'WorkComesBack', detail, resolved_at: null }])
  })
})

/** Batches of these people cannot be claimed. */
async function refuse({ deps }: Service, ...users: GivenUser[]): Promise<void> {
  const ids = sql.join(users.map(({ userId }) => sql.lit(userId)))
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refuse before update on batches for each row
      when (new.user_ids && array[${ids}]::bigint[]) execute function refuse()`.execute(deps.db)
}

/** Minutes until what waits of a message is due. */
async function readWaits({ deps, clock }: Service, messageId: number): Promise<number[]> {
  const work = await deps.db.selectFrom('work').select('due_at').where('message_id', '=', messageId).execute()
  return work.map(({ due_at }) => Math.ceil((due_at.getTime() - clock.now()) / MINUTE_MS))
}

function toAlerts({ deps }: Service) {
  return deps.db.selectFrom('alerts').select(['code', 'detail', 'resolved_at']).execute()
}
