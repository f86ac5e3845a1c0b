import { sql } from 'kysely'
import { commitWork } from './support/commit.ts'
import { describe, expect } from 'vitest'
import { createHandlers, type Handlers } from '../src/handlers.ts'
import { startSubscription } from '../src/marketplace/subscriptions/subscriptions.ts'
import type { Deps } from '../src/deps.ts'
import { connect, queryBuilder } from '../src/platform/db/connect.ts'
import { test } from './support/app.ts'
import { sendToEveryone } from './support/campaign.ts'
import { givenProposal, swapStatus } from './support/marketplace.ts'

const DAY_MS = 86_400_000

describe('a job that gives a campaign its batches', () => {
  test('leaves another one when the process stops it, and none when it expired, because it comes again itself', async ({
    service,
  }) => {
    const { deps } = service
    const messageId = await sendToEveryone(service)
    const countJobs = async () =>
      (await sql`select from pgboss.job where name = 'coordinate' and data = ${{ messageId }}::jsonb`.execute(deps.db))
        .rows.length
    const before = await countJobs()
    const ended = AbortSignal.abort()
    await createHandlers(deps).coordinate({ messageId }, ended, ended)
    expect(await countJobs()).toBe(before)
    await createHandlers(deps).coordinate({ messageId }, ended, new AbortController().signal)
    expect(await countJobs()).toBe(before + 1)
  })
})

describe('what is done by time', () => {
  test('continues when a swap cannot be changed: subscriptions expire, and the job fails with the name of the chore', async ({
    service,
  }) => {
    const { deps, clock, given } = service
    const { swapId } = await givenProposal(service)
    const subscriptionId = await givenTrial(deps, (await given.user()).userId)
    await clock.setTime(clock.now() + 30 * DAY_MS)
    await refuseWrites(deps, 'swaps', 'update')
    const run = createHandlers(deps)['marketplace-chores']({}, new AbortController().signal)
    await expect(run).rejects.toThrow('These chores failed: expire proposals.')
    expect(await swapStatus(deps, swapId)).toBe('pending')
    const { status } = await deps.db
      .selectFrom('subscriptions')
      .select('status')
      .where('subscription_id', '=', subscriptionId)
      .executeTakeFirstOrThrow()
    expect(status).toBe('expired')
    await sql`drop trigger refuse_writes on swaps`.execute(deps.db)
  })

  test.for<[keyof Handlers, string[]]>([
    [
      'sweep',
      [
        'recover abandoned attempts',
        'end what is past its time limit',
        'replace vanished jobs',
        'complete finished messages',
        'forget request counts',
        'forget stored answers',
        'forget exports',
        'forget bulk changes',
        'forget leases of desks',
        'forget decisions of desks',
        'forget links',
        'forget mails',
        'forget links of mails',
        'forget sessions',
        'fold repeated denials',
        'delete origins without an account',
        'log the head of the audit log',
      ],
    ],
    [
      'retention',
      [
        'let go of old copies',
        'delete old entries',
        'delete old batches',
        'delete old requests',
        'delete old skips',
        'delete old alerts',
        'delete old activity',
        'delete old details of the audit log',
      ],
    ],
    ['account-chores', ['end suspensions', 'purge deleted accounts']],
    [
      'marketplace-chores',
      ['expire proposals', 'complete confirmed swaps', 'expire subscriptions', 'fold swap tallies'],
    ],
  ])(
    'each chore of %s fails alone: when none can reach the database, all are tried',
    async ([name, chores], { deps }) => {
      const pool = connect(deps.config.DATABASE_URL, { max: 1, log: deps.log })
      await pool.end()
      const broken = { ...deps, pool, db: queryBuilder(pool) }
      const run = createHandlers(broken)[name]
      const failed = await run({} as never, new AbortController().signal).then(
        () => '',
        (error: Error) => error.message,
      )
      for (const chore of chores) expect.soft(failed).toContain(chore)
    },
  )
})

async function givenTrial(deps: Deps, userId: number): Promise<number> {
  const plan = { code: 'plus', name: 'Plus', price_cents: 500, currency: 'EUR', period: 'month' as const }
  await deps.db.insertInto('plans').values(plan).execute()
  const subscription = await commitWork(deps, startSubscription, {
    userId,
    planCode: plan.code,
    provider: 'stripe',
    externalId: 'a trial',
    status: 'trialing',
    currentPeriodEnd: new Date(deps.clock.now() + DAY_MS),
  })
  return subscription.subscription_id
}

/** Makes every write of a table fail, as a row does that breaks a rule of the database. */
async function refuseWrites({ db }: Deps, table: string, event: string): Promise<void> {
  await sql`create or replace function refuse_writes() returns trigger language plpgsql as
    'begin raise exception ''this row is bad''; end'`.execute(db)
  await sql`create trigger refuse_writes before ${sql.raw(event)} on ${sql.ref(table)}
    for each row execute function refuse_writes()`.execute(db)
}
