// Slow: two seconds, with a Citus.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHandlers } from '../src/handlers.ts'
import { createDividedDatabase } from './support/citus.ts'
import { drain } from './support/drain.ts'
import { send } from './support/campaign.ts'
import { givenProposal } from './support/marketplace.ts'
import { startService, type Service } from './support/service.ts'
import { sweep } from './support/sweep.ts'
import { putBack } from '../src/push/pipeline/sweep.ts'
import { toHome } from '../src/push/records/home.queries.ts'

const CITUS_URL = process.env['CITUS_URL'] ?? ''
const CROWD = 400
const HOMES = 8
const MINUTE = 60_000
const { signal } = new AbortController()

// Citus refuses such a statement then. What reads all homes is listed (`support/cross-homes.ts`), and not done here.
describe.skipIf(CITUS_URL === '')(
  'a Citus that allows no statement to two homes (skipped unless CITUS_URL names one)',
  () => {
    let service: Service
    let drop: () => Promise<void>

    beforeAll(async () => {
      const settings = { 'citus.multi_task_query_log_level': 'error' }
      const database = await createDividedDatabase(CITUS_URL, HOMES, settings)
      service = await startService({}, { lead: () => database.url })
      drop = database.drop
    })

    afterAll(async () => {
      await service.close()
      await drop()
    })

    test('sends campaigns, events and receipts, and shows inboxes and badges', async () => {
      const { clock, deps, given, simulator } = service
      await given.crowd(CROWD)
      const { headers } = await given.user({ devices: [{}] })
      const call = async (method: 'GET' | 'POST', path: string, by = headers, payload?: object) => {
        const answer = await service.app.inject({
          method,
          url: `/api/${path}`,
          headers: by,
          ...(payload && { payload }),
        })
        expect(`${answer.statusCode} ${answer.body}`).toMatch(/^20/)
        return answer.json<{ data: { message_id: number; notification_id: number }[] }>().data
      }
      const admin = (await given.admin()).headers
      simulator.script([
        { match: 'send', status: 429 },
        { match: 'send', cut: 'mid-body' },
      ])
      await call('POST', 'admin/send-notification-all', admin, { title: 'Hello', text: 'There' })
      await givenProposal(service)
      for (let minutes = 0; minutes < 20; minutes++) {
        await drain(service)
        await sweep(deps)
        await clock.tick(MINUTE)
      }
      await createHandlers(deps)['fetch-receipts']({ limit: 10_000, dueOnly: true }, signal)
      const [entry] = await call('GET', 'v1/inbox')
      await call('GET', 'v1/badge')
      const [push] = await call('GET', 'notification')
      await call('POST', `notification/${push!.notification_id}/events`, headers, { event: 'shown' })
      await call('GET', `notification/${push!.notification_id}/read`)
      await call('POST', `v1/inbox/${entry!.message_id}/read`)
      await call('POST', 'v1/inbox/read', headers, { up_to: entry!.message_id })
      await call('POST', `v1/inbox/${entry!.message_id}/archive`)
      expect(simulator.log().length).toBeGreaterThan(CROWD)
    })

    test('counts how often work came back', async () => {
      const { deps, given } = service
      const user = await given.user({ devices: [{}] })
      const messageId = await send(service, [user], { promotional: false })
      const home = toHome(deps.db, user.userId)
      const findWork = () =>
        sql<{ workId: number; failures: number }>`select work_id as "workId", failures from work
          where home = ${home} and message_id = ${messageId}`.execute(deps.db)
      const { workId } = (await findWork()).rows[0]!
      const slow = Object.assign(new Error('slow'), { code: '57014' })
      for (const [error, failures] of [[slow, -1] as const, [slow, -2] as const, [new Error('a fault'), 1] as const]) {
        await putBack(deps, { home, workId }, error)
        expect((await findWork()).rows).toEqual([{ workId, failures }])
      }
    })
  },
)
