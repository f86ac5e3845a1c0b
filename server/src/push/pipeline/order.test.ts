import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { processesOn } from '../../../test/support/processes.ts'
import type { Service } from '../../../test/support/service.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { lockDueWork } from '../ledger/due-work.queries.ts'
import { sendToUsers } from '../../../test/support/send.ts'

const NEWEST_FIRST = ['No. 5', 'No. 4', 'No. 3', 'No. 2', 'No. 1', 'No. 0']

/** Six messages, 400 ms apart, from three processes by turns: their ids are not in the order of time. */
async function sendSix(service: Service, user: GivenUser, promotional: boolean): Promise<number[]> {
  const processes = processesOn(service, 3)
  const ids: number[] = []
  for (let n = 0; n < 6; n++) {
    const content = { title: `No. ${n}`, text: 'There' }
    const send = { origin: 'test', promotional, senderId: null } as const
    const messageId = await sendToUsers(processes[n % 3]!, { ...send, userIds: [user.userId], content })
    ids.push(messageId)
    await service.clock.tick(400)
  }
  expect(ids).not.toEqual(ids.toSorted((a, b) => a - b))
  return ids
}

function toTitles(answer: { json(): unknown }): string[] {
  return (answer.json() as { data: { title: string }[] }).data.map(({ title }) => title)
}

describe('ids are drawn by many processes and are not in the order of time', () => {
  test('an inbox is newest first all the same, also of what is sent at once after a pause', async ({
    service,
    app,
  }) => {
    const user = await service.given.user({ devices: [{}] })
    await sendSix(service, user, false)
    await drain(service)
    const inbox = await app.inject({ url: '/api/notification', headers: user.headers })
    expect(toTitles(inbox)).toEqual(NEWEST_FIRST)
    const times = inbox.json<{ data: { created_at: string }[] }>().data.map((entry) => entry.created_at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('campaigns are listed newest first, on every page', async ({ service, app, given }) => {
    await sendSix(service, await given.user({ devices: [{}] }), true)
    const { headers } = await given.admin()
    const page = async (query: string) =>
      toTitles(await app.inject({ url: `/api/admin/promotional-notifications?${query}`, headers }))
    expect(await page('per_page=6')).toEqual(NEWEST_FIRST)
    expect([...(await page('per_page=4')), ...(await page('per_page=4&page=2'))]).toEqual(NEWEST_FIRST)
  })

  test('the oldest running message is sent first', async ({ service, deps, given }) => {
    await drain(service)
    const ids = await sendSix(service, await given.user({ devices: [{}] }), true)
    const claimed = await deps.db
      .transaction()
      .execute((tx) => lockDueWork(tx, 'expo', { home: 0, lane: 'campaign', limit: 4 }, fromNow(deps.clock)))
    expect(claimed.map(({ messageId }) => messageId)).toEqual(ids.slice(0, 4))
  })

  test('all other ids are drawn one at a time, so their order is the order of time', async ({ deps }) => {
    const { rows } = await deps.pool.query<{ name: string }>(
      `select sequencename as name from pg_sequences where schemaname = 'public' and cache_size > 1 order by 1`,
    )
    expect(rows.map((row) => row.name)).toEqual(['push_ids', 'request_ids'])
  })
})
