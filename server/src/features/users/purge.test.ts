import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { forgetExpired } from '../../housekeeping.ts'
import { verifyAudit } from '../audit/verify.ts'
import { sayInSwap } from '../swaps/chat.ts'
import { purgeUsers } from './purge.ts'

const DAY_MS = 86_400_000
// In every text that the person left or that is about them.
const MARK = 'Zaphodmark'

/**
 * Columns of text that hold nothing of a person, and why. A column that is neither here nor marked by the test fails it, so
 * that whoever adds one says what becomes of it.
 */
const IMPERSONAL: RegExp[] = [
  // Codes and words of ours.
  /\.(?:status|role|type|audience|lane|pause_reason|platform|removed_reason|revoked_reason|error_message|outcome|code|breaker|breaker_code)$/,
  /\.(?:action|entity|actor|actor_role|from_state|to_state|condition|currency|verification|reason|reason_code|resolution|origin|turn|side)$/,
  /\.(?:proposed_by|close_reason|provider|period|visibility|join_policy|format|basis|measure|part|key|kind)$/,
  // Made by us: hashes, digests, salts, ids.
  /\.(?:hash|password_hash|previous_hash|change_digest|origin_digest|salt|sha256|request_id|ticket_id|event_id|error)$/,
  /^(?:categories|plans|alerts|schema_migrations|rate_limits)\./,
  // Numbers, in words.
  /^swap_tall/,
  // Ours to say: `notification` and its value.
  /^user_settings\./,
  // Sealed, and gone after a day.
  /^idempotency_keys\./,
  // Gone after a day.
  /^exports\.|^export_chunks\./,
]

test('a purge leaves nothing of the person in any table, queue or log, and everybody else keeps theirs', async ({
  service,
}) => {
  const { deps, clock } = service
  const panel = await givenPanel(service)
  const world = await givenEverything(service)
  await panel.patch('/user-update', { id: world.person.userId, name: `${MARK} renamed`, city: `${MARK} City` })
  await panel.patch('/user-update', { id: world.person.userId, status: 'suspended', status_reason: `${MARK} was rude` })
  await panel.delete(`/user/${world.person.userId}`)
  const planted = await columnsWith(deps, MARK)
  const texts = await textColumns(deps)
  expect(
    texts.filter((column) => !planted.includes(column) && !IMPERSONAL.some((known) => known.test(column))),
  ).toEqual([])

  expect(await purgeUsers(deps, new AbortController().signal)).toBe(0)
  const later = { ...deps, clock: { now: () => clock.now() + 30 * DAY_MS } }
  expect(await purgeUsers(later, new AbortController().signal)).toBe(1)
  await forgetExpired(later)

  expect(await columnsWith(deps, MARK)).toEqual([])
  expect(service.logged()).not.toContain(MARK)
  expect((await verifyAudit(deps)).broken).toBeUndefined()
  expect((await panel.get(`/user-profile?id=${world.person.userId}`)).statusCode).toBe(404)
  await expectOthersKeepTheirs(deps, world)
})

test('a purge takes a hundred at a time and can run twice at once', async ({ service }) => {
  const { deps, clock } = service
  await service.given.crowd(250)
  const gone = { deleted_at: new Date(clock.now()), purge_after: new Date(clock.now()) }
  await deps.db.updateTable('users').set(gone).where('username', 'like', 'crowd-%').execute()
  const signal = new AbortController().signal
  const [one, other] = await Promise.all([purgeUsers(deps, signal), purgeUsers(deps, signal)])
  expect(one + other + (await purgeUsers(deps, signal))).toBe(250)
  const left = await deps.db.selectFrom('users').select('user_id').where('username', 'like', 'crowd-%').execute()
  expect(left).toEqual([])
})

type World = {
  person: GivenUser
  other: GivenUser
  swapId: number
  reportId: number
  otherProduct: number
  groupId: number
}

/** A person who left a mark wherever one can be left. */
async function givenEverything(service: Service): Promise<World> {
  const { deps, app } = service
  const { requester: person, owner: other, offered, requested, swapId } = await givenProposal(service)
  const now = new Date(service.clock.now())
  const { db } = deps
  const named = { username: `${MARK}-user`, email: `${MARK}@example.com`, name: MARK, phone: MARK, city: MARK }
  const about = { avatar_url: MARK, status_reason: MARK, password_hash: await deps.passwords.hash(MARK) }
  await db
    .updateTable('users')
    .set({ ...named, ...about })
    .where('user_id', '=', person.userId)
    .execute()
  await db.updateTable('mobile_devices').set({ device_id: MARK }).where('user_id', '=', person.userId).execute()
  await db
    .updateTable('mobile_devices')
    .set({ token: sql`'ExponentPushToken[' || ${MARK} || ']'` })
    .where('user_id', '=', person.userId)
    .execute()
  const words = { title: MARK, description: MARK, wants: MARK, city: MARK, images: JSON.stringify([MARK]) }
  await db.updateTable('products').set(words).where('product_id', '=', offered).execute()
  await db.updateTable('swaps').set({ note: MARK }).where('swap_id', '=', swapId).execute()
  await db.updateTable('swap_rounds').set({ note: MARK }).where('swap_id', '=', swapId).execute()
  await sayInSwap(deps, { swapId, senderId: person.userId, text: MARK })
  const moderated = {
    action: 'reject',
    revision: 1,
    snapshot: JSON.stringify({ title: MARK }),
    created_at: now,
  } as const
  const said = { user_message: MARK, internal_note: MARK }
  await db
    .insertInto('moderation_actions')
    .values({ ...moderated, ...said, product_id: offered })
    .execute()
  const report = {
    product_id: requested,
    reporter_id: person.userId,
    reason: 'other',
    created_at: now,
    updated_at: now,
  } as const
  const decided = { status: 'dismissed', resolution_note: MARK, resolved_by: person.userId, resolved_at: now } as const
  const { report_id: reportId } = await db
    .insertInto('product_reports')
    .values({ ...report, ...decided, details: MARK })
    .returning('report_id')
    .executeTakeFirstOrThrow()
  const { group_id: groupId } = await db
    .insertInto('groups')
    .values({ owner_id: person.userId, name: MARK, description: MARK, created_at: now, updated_at: now })
    .returning('group_id')
    .executeTakeFirstOrThrow()
  const { plan_id } = await db
    .insertInto('plans')
    .values({ code: 'plus', name: 'Plus', price_cents: 100, currency: 'EUR', period: 'month' })
    .returning('plan_id')
    .executeTakeFirstOrThrow()
  const paid = { plan_id, status: 'active', provider: 'stripe', external_id: MARK, current_period_end: now } as const
  await db
    .insertInto('subscriptions')
    .values({ ...paid, user_id: person.userId, started_at: now, created_at: now, updated_at: now })
    .execute()
  const noted = {
    entity: 'swap',
    entity_id: swapId,
    user_id: other.userId,
    to_state: 'declined',
    actor: 'user',
    at: now,
  } as const
  await db
    .insertInto('state_changes')
    .values({ ...noted, from_state: 'pending', actor_id: person.userId, note: MARK })
    .execute()
  await joinGroup(service, person, other)
  await app.inject({
    url: '/api/admin/v1/users',
    headers: { ...person.headers, 'user-agent': MARK },
    remoteAddress: '203.0.113.7',
  })
  const failed = await app.inject({
    method: 'POST',
    url: '/api/admin/v1/login',
    headers: { 'user-agent': MARK },
    payload: { email: named.email, password: 'not the password' },
  })
  expect(failed.statusCode).toBe(401)
  await send(service, [person, other])
  await drain(service)
  const otherProduct = await givenProduct(deps, other)
  return { person, other, swapId, reportId, otherProduct, groupId }
}

async function joinGroup({ app }: Service, { headers }: GivenUser, { userId }: GivenUser): Promise<void> {
  const payload = { admin_user_id: userId, title: MARK, text: MARK, link: `swapbell://${MARK}` }
  const answer = await app.inject({ method: 'POST', url: '/api/send-group-join-notification', headers, payload })
  expect(answer.statusCode).toBe(202)
}

async function expectOthersKeepTheirs({ db }: Deps, world: World): Promise<void> {
  const swap = await db.selectFrom('swaps').selectAll().where('swap_id', '=', world.swapId).executeTakeFirstOrThrow()
  expect(swap).toMatchObject({ requester_id: null, owner_id: world.other.userId, status: 'invalidated', note: null })
  const report = await db
    .selectFrom('product_reports')
    .selectAll()
    .where('report_id', '=', world.reportId)
    .executeTakeFirstOrThrow()
  expect(report).toMatchObject({ reporter_id: null, reason: 'other', status: 'dismissed', details: null })
  const copies = await db.selectFrom('notifications').select('user_id').execute()
  expect(new Set(copies.map((copy) => copy.user_id))).toEqual(new Set([world.other.userId]))
  const products = await db
    .selectFrom('products')
    .select('product_id')
    .where('user_id', '=', world.other.userId)
    .execute()
  expect(products.map((product) => product.product_id)).toContain(world.otherProduct)
}

type Column = { schema: string; name: string; column: string }

/** Every column of every table, of ours and of the queue, whose value holds a text in any form; as `table.column`. */
async function columnsWith({ db }: Deps, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { schema, name, column } of await columnsOf(db)) {
    const { rows } = await sql`
      select 1 from ${sql.table(`${schema}.${name}`)} t where ${sql.ref(`t.${column}`)}::text ilike ${`%${text}%`} limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(`${schema === 'public' ? '' : `${schema}.`}${name}.${column}`)
  }
  return found
}

/** The columns of ours that can hold what somebody wrote. */
async function textColumns({ db }: Deps): Promise<string[]> {
  const columns = await columnsOf(db, ['text', 'character varying', 'jsonb', 'json', 'ARRAY', 'bytea'])
  return columns
    .filter(({ schema, column }) => schema === 'public' && !/_ids$|^offered$|^requested$/.test(column))
    .map(({ name, column }) => `${name}.${column}`)
}

async function columnsOf(db: Deps['db'], types?: string[]): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.table_schema as schema, c.table_name as name, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema in ('public', 'pgboss') and t.table_type = 'BASE TABLE'
      ${types ? sql`and c.data_type = any(${types})` : sql``}
    order by 1, 2, 3`.execute(db)
  return rows
}
