import { randomUUID } from 'node:crypto'
import { call, MESSAGE } from '../api.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startService, type World } from '../world.ts'

const CALLS = 50

/**
 * Fifty equal calls with one Idempotency-Key on two processes of the API; then several coordinators for the message.
 */
export const coordinators: Scenario = {
  name: 'coordinators',
  about: '50 equal calls at once with one key, and several coordinators of one campaign',
  // Three pages of an audience.
  worldOptions: ({ users }) => ({
    users: users < 1_000 ? users : 12_000,
    settings: { PUSH_TIMEOUT_SECONDS: '5', PUSH_LEASE_SECONDS: '20' },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { pool } = world
  const [{ web, token }, second] = await Promise.all([startService(world, 2), world.startWeb()])
  const audience = await readAudience(pool)
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, turn) =>
      call(turn % 2 === 0 ? web.url : second.url, 'POST', '/api/admin/send-notification-all', {
        token,
        headers,
        body: MESSAGE,
      }),
    ),
  )
  const { rows } = await pool.query<{ id: number }>('select message_id::int as id from messages')
  const messageIds = rows.map((row) => row.id)
  for (const messageId of messageIds) await world.time.coordinateAlso(messageId, 6)
  await drain(world, messageIds)
  const different = new Set(answers.map((answer) => `${answer.status} ${answer.text}`))
  const faults = [
    ...(messageIds.length === 1 ? [] : [`there are ${messageIds.length} campaigns`]),
    ...(different.size === 1 ? [] : [`there are ${different.size} different answers: ${[...different].join(' ')}`]),
    ...(answers[0]?.status === 202 ? [] : [`the answer is ${answers[0]?.status}`]),
  ]
  const notes = [`${answers.length} calls, ${messageIds.length} campaign, ${different.size} answer`]
  return toFinding(world, { messageIds, audience, duplicates: 'none' }, { faults, notes })
}
