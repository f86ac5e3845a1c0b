// Slow: many costly requests, or long data.
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { approve, expectApproval } from '../../../test/support/approvals.ts'
import { readColumns, columnsWith, personColumns } from '../../../test/support/columns.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import { givenFactorRows } from '../../../test/support/factors.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { givenPerson, leaveOnTheLastDay, type World } from '../../../test/support/person.ts'
import { ADDRESS, MARK, NUMBER } from '../../../test/support/person-rows.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import type { Deps } from '../../deps.ts'
import { rebuildGapHistogram } from '../../identity/activity/activity.ts'
import { readEntry, seeEntries } from '../../push/inbox/reading.ts'
import { verifyAudit } from '../audit/verify.ts'
import { runExport } from '../exports/exports.ts'
import { purgeUsers } from './purge.ts'

const DAY_MS = 86_400_000
const MARKS = new RegExp(`${MARK}|${ADDRESS.replaceAll('.', '\\.')}`, 'i')
const NUMBERS = new RegExp(`(?<!\\d)${NUMBER}(?!\\d)`)

/**
 * Columns without data about a person, and why. The test fails for a column that is neither listed here nor marked by
 * the test, so whoever adds a column must say what a purge does with it.
 */
const IMPERSONAL: RegExp[] = [
  // Our own codes and fixed words.
  /\.(?:status|role|type|audience|lane|pause_reason|platform|removed_reason|revoked_reason|error_message|outcome|code|breaker|breaker_code|paused_code|verdict)$/,
  /\.(?:action|entity|actor|actor_role|from_state|to_state|from_status|to_status|condition|currency|verification|reason_code|resolution|origin|turn|side)$/,
  /\.(?:proposed_by|close_reason|provider|fallback_provider|other|gone_by|period|visibility|join_policy|format|columns|basis|measure|part|kind|route|desk|purpose)$/,
  /^(?:product_reports|user_reports|skips)\.reason$/,
  // Made by us: hashes, digests, salts, ids.
  /\.(?:hash|password_hash|token_hash|previous_hash|change_digest|origin_digest|salt|pin|sha256|ticket_id|event_id|error|body_hash)$/,
  /^(?:audit_head|audit_keys)\.|^audit_(?:log|waiting)\.(?:key_id|mac)$|^audit_repeats\.(?:fold_key|targets)$|^sessions\.(?:site|device|network)$/,
  /^(?:categories|plans|alerts|schema_migrations|rate_limits|pg_dist_node)\./,
  // Not written any more, as the request id is in the details; `server/test/citus-audit.test.ts` is about what waits.
  /^audit_log\.request_id$|^audit_waiting\.entry$/,
  // Sealed, hashed, or the id of a key.
  /^second_factors\.(?:key_id|sealed)$|_(?:sign_ins\.token_hash|sign_ins\.password_mark|codes\.code_hash|\w+\.challenge_hash)$/,
  // Made by authenticators; ways to reach them, which browsers name.
  /^passkeys\.(?:credential_id|public_key|transports)$/,
  // Numbers, in words; names of tables.
  /^(?:swap_tall|list_counts\.)/,
  // Copies keep bytes, tickets, codes, moments and places here.
  /^batches\.(?:facts|tickets|long_tickets|words|moments)$|^requests\.(?:sizes|places|rounds)$|^work\.places$/,
  // A bit a person, which `push/pipeline/deletion.test.ts` looks at.
  /^bulk_entries\.(?:members|reached)$/,
  /^unread\.(?:entries|lines)$/,
  /^(?:home_)?messages\.(?:subject|home_cursors)$/,
  /^badge_nodes\.etag$/,
  // One of the languages and time zones that there are.
  /^users\.(?:language|time_zone)$/,
  // Kinds of events, and ids of records; `about` is emptied when the message is over.
  /^(?:home_)?messages\.(?:event|merge_key|about|trace_context)$|^push_preferences\.(?:muted|quiet_except)$/,
  // Numbers of swaps; a hash that the realtime database made of ours.
  /^badges\.(?:chats|etag)$/,
  // Fixed by us: `notification` and its value.
  /^user_settings\./,
  // What an administrator wrote about the delivery, until sending resumes.
  /^provider_state\.halt_reason$/,
  // A hash of a provider's key, and what it signed, sealed.
  /^provider_tokens\./,
]

/** Where the number of a purged account may still stand (ADR 15): who did what, and who was selected. */
const NUMBER_STAYS = [
  'approvals.request',
  'audit_details.content',
  'audit_log.actor_id',
  'audit_log.change_subject_id',
  'audit_log.entity_id',
  'audit_log.origin_subject_id',
]

/** Columns that are named after a person and never hold one whose account is kept by its number alone. */
const NO_PERSON = [
  // Given by the tests of the rules that write them; a foreign key empties or removes their rows.
  /^(?:(?:exports|bulk_changes)\.requested_by|held_recounts\.user_id|swap_items\.asked_by|messages\.(?:last|cursor)_user_id)$/,
  /^matches\.second_user_id$/,
  // A foreign key empties it.
  /^provider_state\.halted_by$/,
  /^roll_outs\.changed_by$/,
  // It goes when the realtime database has forgotten the person: `push/badges/realtime.test.ts`.
  /^badge_removals\.user_id$/,
]

test('a purge leaves nothing of the person in any column of any table or queue, nor in the log; others keep theirs', async () => {
  const service = await startService({ APPROVALS: ['bulk-changes'] })
  onTestFinished(() => service.close())
  const { deps, clock } = service
  const world = await givenPerson(service)
  const panel = await givenPanel(service)
  await panel.patch('/user-update', { id: NUMBER, status: 'suspended', status_reason: `${MARK} was rude` })
  for (const format of ['csv', 'xlsx']) await panel.post(`/users-export?search=${MARK}&format=${format}`)
  await suspendInBulk(service, panel)
  await askToSuspend(service, panel)
  await givenFactorRows(service, world.person, MARK)
  const chats = deps.db
    .selectFrom('swaps')
    .select('swap_id')
    .where(sql<boolean>`${NUMBER} in (requester_id, owner_id)`)
  for (const { swap_id } of await chats.execute())
    expect((await panel.post(`/swap/${swap_id}/messages`, { reason: `${MARK} lies` })).statusCode).toBe(200)
  for (const { message_id } of await deps.db
    .selectFrom('entries')
    .select('message_id')
    .where('user_id', '=', NUMBER)
    .where('is_listed', '=', true)
    .execute())
    await commitWork(deps, readEntry, { userId: NUMBER, messageId: message_id })
  await commitWork(deps, seeEntries, NUMBER)
  await deps.db.insertInto('badge_nodes').values({ user_id: NUMBER, due_at: null }).execute()
  const planted = await columnsWith(deps, MARKS)
  const numbered = await columnsWith(deps, NUMBERS)
  await runExports(deps)
  expect(await columnsWith(deps, MARKS)).toContain('export_chunks.bytes')
  await panel.delete(`/user/${NUMBER}`)

  await clock.setTime(clock.now() + 30 * DAY_MS - 3_600_000)
  const late = await leaveOnTheLastDay(service, world)
  await runExports(deps)
  const all = [...planted, ...numbered, 'export_chunks.bytes']
  expect((await textColumns(deps)).filter((column) => !all.includes(column) && !isImpersonal(column))).toEqual([])
  const persons = (await personColumns(deps)).filter((column) => !NO_PERSON.some((known) => known.test(column)))
  expect(persons.filter((column) => !numbered.includes(column))).toEqual([])

  const signal = new AbortController().signal
  expect(await purgeUsers(deps, signal)).toBe(0)
  await clock.setTime(clock.now() + 3_600_000)
  expect(await purgeUsers(deps, signal)).toBe(1)
  await sweep(deps)

  expect(await columnsWith(deps, MARKS)).toEqual([])
  expect((await columnsWith(deps, NUMBERS)).filter((column) => !NUMBER_STAYS.includes(column))).toEqual([])
  // The log file is no table: it contains a caller's request id and address as long as logs are kept.
  const logged = service.logged().replaceAll(`"request_id":"${MARK}"`, '').replaceAll(`"caller":"${ADDRESS}"`, '')
  expect(logged).not.toMatch(MARKS)
  expect((await verifyAudit(deps)).broken).toBeUndefined()
  expect((await late.get(`/user-profile?id=${NUMBER}`)).statusCode).toBe(404)
  // The answer about the person is deleted, and the request is not done again.
  const key = { 'idempotency-key': 'of-an-administrator' }
  expect((await late.post(`/report/reported-product/${world.reportId}/assign`, {}, key)).statusCode).toBe(404)
  expect((await late.post(`/swap/${world.swapId}/messages`, { reason: 'A complaint' }, key)).statusCode).toBe(404)
  await expectOthersKeepTheirs(deps, world)
})

test('a purge takes the reasons with it that the person gave for the states of others', async ({ service }) => {
  const { deps, clock, given } = service
  const [staff, user] = [await givenPanel(service), await given.user()]
  await staff.patch('/user-update', { id: user.userId, status: 'suspended' })
  await staff.patch('/user-update', { id: user.userId, status_reason: 'He was rude' })
  const gone = { deleted_at: new Date(clock.now()), purge_after: new Date(clock.now()) }
  await deps.db.updateTable('users').set(gone).where('user_id', '=', staff.user.userId).execute()
  expect(await purgeUsers(deps, new AbortController().signal)).toBe(1)
  const left = deps.db.selectFrom('users').select(['status', 'status_reason']).where('user_id', '=', user.userId)
  expect(await left.execute()).toEqual([{ status: 'suspended', status_reason: null }])
})

test('a purge leaves all counts right, also after a recount', async ({ service }) => {
  const { deps, clock } = service
  const people = [await service.given.user(), await service.given.user()]
  for (const { userId } of people) deps.activity.touch(userId)
  await deps.activity.flush()
  const counted = () => deps.db.selectFrom('activity_gap_day').selectAll().where('n', '>', 0).orderBy('day').execute()
  const before = await counted()
  const gone = { deleted_at: new Date(clock.now()), purge_after: new Date(clock.now()) }
  await deps.db.updateTable('users').set(gone).where('user_id', '=', people[0]!.userId).execute()
  expect(await purgeUsers(deps, new AbortController().signal)).toBe(1)
  const days = await deps.db.selectFrom('user_activity_day').select('user_id').execute()
  expect(days.map((day) => day.user_id)).not.toContain(people[0]!.userId)
  expect(await counted()).toEqual(before)
  await rebuildGapHistogram(deps.db, { fromDay: '2020-01-01', toDay: '2099-01-01' })
  expect(await counted()).toEqual(before)
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

/** Changes the person's account with others: into another state, and back with a reason, which somebody approves. */
async function suspendInBulk(service: Service, panel: Panel): Promise<void> {
  const prepare = async (action: string) => {
    const bulk = await panel.post('/users-bulk', { action, ids: [NUMBER], reason: `${MARK} again` })
    return `/users-bulk/${bulk.json<{ data: { id: number } }>().data.id}/start`
  }
  await panel.post(await prepare('activate'))
  await drain(service)
  const approval = await expectApproval(service, panel, panel.post(await prepare('suspend')))
  expect((await approve(service, await givenPanel(service), approval)).statusCode).toBe(200)
  await drain(service)
}

/** Asks to change the person's account with others, which somebody refuses. */
async function askToSuspend({ app, given }: Service, panel: Panel): Promise<void> {
  const bulk = await panel.post('/users-bulk', { action: 'delete', ids: [NUMBER], reason: `${MARK} was rude` })
  const asked = (await panel.post(`/users-bulk/${bulk.json().data.id}/start`)).json().data.approval
  const { headers } = await given.user({ role: 'admin' })
  const payload = { reason: `${MARK} was only tired` }
  const refused = await app.inject({ method: 'POST', url: `/api/admin/approvals/${asked.id}/refuse`, headers, payload })
  expect(refused.statusCode).toBe(200)
}

async function runExports(deps: Deps): Promise<void> {
  const exports = await deps.db.selectFrom('exports').select('export_id').execute()
  for (const { export_id } of exports) await runExport(deps, export_id, new AbortController().signal)
  const ends = await deps.db.selectFrom('exports').select('status').execute()
  expect(new Set(ends.map((end) => end.status))).toEqual(new Set(['done']))
}

async function expectOthersKeepTheirs({ db }: Deps, world: World): Promise<void> {
  const swap = await db.selectFrom('swaps').selectAll().where('swap_id', '=', world.swapId).executeTakeFirstOrThrow()
  expect(swap).toMatchObject({ requester_id: null, owner_id: world.other.userId, status: 'invalidated', note: null })
  const reports = db.selectFrom('product_reports').selectAll().where('report_id', '=', world.reportId)
  expect(await reports.executeTakeFirst()).toMatchObject({ reporter_id: null, reason: 'other', details: null })
  const copies = await db.selectFrom('notifications').select('user_id').execute()
  expect(new Set(copies.map((copy) => copy.user_id))).toEqual(new Set([world.other.userId]))
  const products = db.selectFrom('products').select('product_id').where('user_id', '=', world.other.userId)
  expect((await products.execute()).map((product) => product.product_id)).toContain(world.otherProduct)
  const both = await db.selectFrom('messages').select('title').where('title', '=', 'To both').execute()
  expect(both).toHaveLength(1)
}

function isImpersonal(column: string): boolean {
  return IMPERSONAL.some((known) => known.test(column))
}

/** The columns of ours that can hold what somebody wrote. */
async function textColumns(deps: Deps): Promise<string[]> {
  const types = ['text', 'character varying', 'jsonb', 'json', 'bytea', 'inet', 'cidr', 'ARRAY', 'USER-DEFINED']
  return (await readColumns(deps))
    .filter(({ schema, type, column }) => schema === 'public' && types.includes(type) && !isOfNumbers(column))
    .map(({ name, column }) => `${name}.${column}`)
}

/** Lists of ids; those of people are among `personColumns`. */
function isOfNumbers(column: string): boolean {
  return /_ids$|^(?:offered|requested|about)$/.test(column)
}
