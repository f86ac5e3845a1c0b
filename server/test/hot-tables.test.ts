// Slow: campaigns, receipts, chats, inboxes and badges of a whole service.
import { expect, test } from 'vitest'
import { writeBadges } from '../src/push/badges/realtime.ts'
import { stopMessage } from '../src/push/messages/control.ts'
import { fetchReceipts } from '../src/push/pipeline/receipts.ts'
import { send, usersWithPhones } from './support/campaign.ts'
import { givenChat, say } from './support/chats.ts'
import { commitWork } from './support/commit.ts'
import { drain } from './support/drain.ts'
import { startBadgeWorld, type BadgeWorld } from './support/firebase.ts'
import { openPhone } from './support/phone.ts'
import { sendToAll } from './support/send.ts'
import { reportStatistics } from './support/statistics.ts'
import { sweep } from './support/sweep.ts'

const ROUND = { limit: 2_000, dueOnly: false }
/** A change of an indexed column leaves an entry in each index, and a deleted row its own; only vacuum takes them. */
type Table = { table: string; leavesEntries: boolean; settings: string[] }

test('a table whose rows are changed or deleted on the way of a push says how it is vacuumed or filled', async () => {
  const world = await startBadgeWorld()
  await sendInAllWays(world)
  const tables = await listChanged(world)
  await world.close()
  const silent = tables.filter(
    ({ leavesEntries, settings }) =>
      !settings.some((one) => one.startsWith(leavesEntries ? 'autovacuum_vacuum_' : 'fillfactor=')),
  )
  expect(silent).toEqual([])
  const names = tables.map(({ table }) => table)
  expect(names).toEqual(expect.arrayContaining(['batches', 'messages', 'requests', 'unread', 'work', 'badge_nodes']))
})

async function sendInAllWays({ service, database }: BadgeWorld): Promise<void> {
  const { deps, given, simulator } = service
  await given.crowd(400)
  const users = await usersWithPhones(service, 6)
  const { userId: senderId } = await given.admin()
  const chat = await givenChat(service)
  await reportStatistics(deps)
  await deps.pool.query('select pg_stat_reset()')
  for (let round = 0; round < 3; round++) {
    simulator.script([{ match: 'send', status: 503, times: 1 }])
    await sendToAll(deps, { title: 'To all', text: 'There' }, senderId)
    await send(service, users.slice(0, 3), { promotional: false })
    await say(chat.mine, chat.messages, 'Now?')
    await drain(service)
    await service.clock.tick(120_000)
    await sweep(deps)
    await drain(service)
    await commitWork(deps, stopMessage, await sendToAll(deps, { title: 'Stopped', text: 'There' }, senderId))
    await fetchReceipts(deps, ROUND, new AbortController().signal)
    await writeBadges(deps, database)
  }
  for (const user of users) {
    const phone = openPhone(service, user)
    const [first, second] = (await phone.get<{ message_id: number }[]>('/api/v1/inbox')).json.data
    await phone.post('/api/v1/inbox/seen', {})
    await phone.post(`/api/v1/inbox/${second?.message_id}/read`, {})
    await phone.post(`/api/v1/inbox/${second?.message_id}/archive`, {})
    await phone.post('/api/v1/inbox/read', { up_to: first?.message_id })
  }
}

async function listChanged({ service: { deps } }: BadgeWorld): Promise<Table[]> {
  await reportStatistics(deps)
  const { rows } = await deps.pool.query<Table>(
    `select s.relname as table, coalesce(c.reloptions, '{}') as settings,
       n_tup_del > 0 or 2 * n_tup_hot_upd < n_tup_upd as "leavesEntries"
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = 'public' and n_tup_upd + n_tup_del > 0 order by 1`,
  )
  return rows
}
