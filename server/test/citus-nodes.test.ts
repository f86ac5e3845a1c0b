// Slow: four seconds, with a Citus.
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHandlers } from '../src/handlers.ts'
import { completeJob, fetchJobs } from './support/jobs.ts'
import { expectTruth, sendToEveryone } from './support/campaign.ts'
import { createDividedDatabase } from './support/citus.ts'
import { drain } from './support/drain.ts'
import type { GivenUser } from './support/given.ts'
import { startService, type Service } from './support/service.ts'
import { runSql } from './support/run-sql.ts'

const CITUS_URL = process.env['CITUS_URL'] ?? ''
const CROWD = 400
const HOMES = 8
const { signal } = new AbortController()

// What the coordinator refuses in these tests was done by the servers of the homes (ADR 2).
describe.skipIf(CITUS_URL === '')('on a Citus (skipped unless CITUS_URL names one)', () => {
  test('campaigns are claimed, settled and asked about, and inboxes read, at the servers of the homes', async () => {
    const { service, reader, administrate, account } = await start()
    const { simulator } = service
    const { rows } = await service.deps.pool.query<{ token: string }>(
      'select token from mobile_devices order by id limit 9',
    )
    for (const { token } of rows) simulator.setToken(token, { receipt: 'error:DeviceNotRegistered' })
    simulator.script([
      { match: 'send', ticketErrors: { 0: 'DeviceNotRegistered', 1: 'ProviderError', 2: 'MessageTooBig' } },
      { match: 'send', status: 429 },
    ])
    const messageId = await sendToEveryone(service)
    await coordinate(service)
    await administrate(`set citus.enable_ddl_propagation = off;
      revoke insert, update on requests, message_counts, push_counts, entries, bulk_entries, unread from ${account};
      revoke update on batches from ${account}; revoke delete on work from ${account};
      revoke select on entries, bulk_entries from ${account}`)
    for (let minutes = 0; minutes < 5; minutes++) {
      await drain(service)
      await service.clock.tick(60_000)
    }
    await createHandlers(service.deps)['fetch-receipts']({ limit: 10_000, dueOnly: false }, signal)
    const inbox = await service.app.inject({ url: '/api/v1/inbox', headers: reader.headers })
    expect(inbox.json()).toMatchObject({ data: [{ message_id: messageId }] })
    const unread = await service.app.inject({ url: '/api/notification', headers: reader.headers })
    expect(unread.json()).toMatchObject({ unread_count: 1 })

    await administrate(`set citus.enable_ddl_propagation = off;
      grant all on all tables in schema public to ${account}`)
    await expectTruth(service, messageId)
    const { rows: removed } = await service.deps.pool.query<{ n: number }>(
      'select count(*)::int as n from mobile_devices where removed_at is not null',
    )
    expect(removed[0]!.n).toBeGreaterThan(5)
  })

  test('a home that was moved is reached by the server that had it, and its counts are true', async () => {
    const { service, administrate } = await start()
    await sendToEveryone(service)
    await drain(service)
    // On a busy machine the move takes longer than a process knows where homes are.
    const { pool } = service.deps
    const before = await Promise.all(Array.from({ length: HOMES }, (_, home) => pool.findNode!(home)))
    pool.findNode = async (home) => before[home]
    await administrate(`select citus_move_shard_placement(shardid, f.nodename, f.nodeport, t.nodename, t.nodeport, 'block_writes')
      from (select distinct get_shard_id_for_distribution_column('batches', home) as shardid
        from generate_series(0, ${HOMES - 1}) home offset 0) s join pg_dist_placement p using (shardid)
        join pg_dist_node f on f.groupid = p.groupid and f.groupid = 1 join pg_dist_node t on t.groupid = 2`)
    const messageId = await sendToEveryone(service)
    await drain(service)
    await createHandlers(service.deps)['fetch-receipts']({ limit: 10_000, dueOnly: false }, signal)
    expect(await listGroups(service, messageId)).toEqual([1, 2])
    await expectTruth(service, messageId)
  })

  test('an account that may not read the catalog sends through the coordinator', async () => {
    const { service, administrate } = await start('revoke select on pg_dist_placement from public')
    const messageId = await sendToEveryone(service)
    await drain(service)
    expect(await listGroups(service, messageId)).toEqual([0])
    await expectTruth(service, messageId)
    expect(service.logged()).toContain('some homes are reached through the coordinator alone')
    await administrate('grant select on pg_dist_placement to public')
  })
})

type Divided = {
  service: Service
  reader: GivenUser
  account: string
  /** On the coordinator, with every right. */
  administrate(statements: string): Promise<void>
}

async function start(first?: string): Promise<Divided> {
  const account = `account_${randomUUID().slice(0, 8)}`
  const { url, drop } = await createDividedDatabase(CITUS_URL, HOMES, {}, account)
  const administrate = async (statements: string) => {
    const address = new URL(CITUS_URL)
    address.pathname = new URL(url).pathname
    await runSql(address.href, statements)
  }
  if (first !== undefined) await administrate(first)
  const service = await startService({}, { lead: () => url })
  onTestFinished(async () => {
    await service.close()
    await drop()
  })
  await service.given.crowd(CROWD)
  return { service, reader: await service.given.user({ devices: [{}] }), account, administrate }
}

/** Makes the batches, which the coordinator does. */
async function coordinate({ deps }: Service): Promise<void> {
  for (const job of await fetchJobs(deps.queue, 'coordinate', 10)) {
    await createHandlers(deps).coordinate(job.data, signal)
    await completeJob(deps.queue, 'coordinate', job)
  }
}

/** The servers that gave ids to the requests of a message: 0 is the coordinator. */
async function listGroups({ deps }: Service, messageId: number): Promise<number[]> {
  const { rows } = await deps.pool.query<{ server: number }>(
    `select distinct (request_id >> 48)::int as server from requests
    where home in (${Array.from({ length: HOMES }, (_, home) => home).join()}) and $1 = any(message_ids) order by 1`,
    [messageId],
  )
  return rows.map(({ server }) => server)
}
