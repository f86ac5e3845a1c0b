// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { PASSWORD } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { personColumns } from '../../../test/support/columns.ts'
import { givenFactorRows } from '../../../test/support/factors.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { openPhone } from '../../../test/support/phone.ts'
import { givenPerson } from '../../../test/support/person.ts'
import { ADDRESS, MARK } from '../../../test/support/person-rows.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { hashed } from '../../identity/sign-in/auth.ts'
import { recordAuditAlone, THE_SERVICE } from '../../platform/audit/audit.ts'
import { inline } from '../../platform/db/inline.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { selectOwnData, SECTIONS } from './own-data.queries.ts'

/** Columns that are named after a person and are in no section, by the reason. */
const LEFT_OUT: Record<string, string[]> = {
  'what staff did at work, which tells of other people': [
    'account_powers.actor_id',
    'account_powers.subject_id',
    'approvals.decided_by',
    'approvals.subject_id',
    'bulk_changes.requested_by',
    'desk_decisions.decided_by',
    'desk_leases.holder_id',
    'exports.requested_by',
    'group_members.decided_by',
    'moderation_actions.actor_id',
    'product_reports.assigned_to',
    'product_reports.resolved_by',
    'provider_state.halted_by',
    'roll_outs.changed_by',
    'products.verified_by',
    'state_changes.actor_id',
    'swap_disputes.resolved_by',
    'user_reports.assigned_to',
    'user_reports.resolved_by',
  ],
  'protects those who report or block the person': ['user_reports.user_id', 'user_blocks.blocked_id'],
  'counted or derived from rows that are in the file': [
    'account_changes.user_id',
    'badge_removals.user_id',
    'badge_nodes.user_id',
    'bulk_items.user_id',
    'listings.user_id',
    'swap_items.asked_by',
    'audit_repeats.actor_id',
  ],
  'which batch of a send they were in': [
    'batches.user_ids',
    'batches.first_user',
    'messages.cursor_user_id',
    'messages.last_user_id',
  ],
  'a secret': [
    'mail_tokens.user_id',
    'passkey_challenges.user_id',
    'pending_sign_ins.user_id',
    'recovery_codes.user_id',
  ],
}

describe('The file of one’s own data', () => {
  test('has every column that is named after a person, or there is a reason', async ({ deps }) => {
    const known = [...SECTIONS.flatMap(({ persons }) => persons), ...Object.values(LEFT_OUT).flat()]
    const columns = await personColumns(deps)
    expect(columns.filter((column) => !known.includes(column))).toEqual([])
    expect(new Set(known).size).toBe(known.length)
  })

  test('holds what the person left in every section, no secret, and nothing that others wrote', async ({ service }) => {
    const { deps } = service
    const { person, other, swapId } = await givenPerson(service)
    await withPassword(service, person.userId)
    await givenFactorRows(service, person, MARK)
    await deps.db
      .insertInto('user_blocks')
      .values({ blocker_id: person.userId, blocked_id: other.userId, created_at: new Date() })
      .execute()
    await deps.db
      .insertInto('swap_messages')
      .values({ swap_id: swapId, sender_id: other.userId, body: 'Of the other', created_at: new Date() })
      .execute()
    const change = { entity: 'user', entity_id: person.userId, user_id: person.userId, actor: 'administrator' } as const
    await deps.db
      .insertInto('state_changes')
      .values({ ...change, from_state: 'active', to_state: 'suspended', note: 'internal_note', at: new Date() })
      .execute()
    const answer = await ask(service, person.headers)
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, expect.stringContaining('.json"')])
    const file = answer.json()
    expect(Object.keys(file)).toEqual(['made_at', ...SECTIONS.map(({ name }) => name)])
    expect(SECTIONS.filter(({ name }) => file[name].length === 0)).toEqual([])
    expect(file.account).toMatchObject([{ user_id: person.userId, name: `${MARK} renamed`, phone: MARK }])
    expect(file.logged_calls.map(({ from }: { from: { ip: string } }) => from.ip)).toContain(ADDRESS)
    expect(file.swap_messages).toMatchObject([{ sender_id: person.userId, body: MARK }])
    const off = file.messages.find(({ text }: { text: string }) => text === 'nothing')
    expect(file.not_notified).toEqual([
      { message_id: off.message_id, reason: 'opted_out', created_at: expect.stringMatching(/^20/) },
    ])
    for (const secret of ['argon2', 'PushToken', 'token_hash', 'Of the other', 'internal_note', other.email])
      expect(answer.body).not.toContain(secret)
  })

  test('keeps from the person who reported them, and what staff wrote for each other', async ({ service }) => {
    const { requester: person, owner: other, requested, swapId } = await givenProposal(service)
    const ownProduct = await givenProduct(service.deps, person, { verification: 'pending' })
    await withPassword(service, person.userId)
    const [mine, theirs] = [openPhone(service, person), openPhone(service, other)]
    const about = await theirs.post<{ id: number }>(`/api/v1/users/${person.userId}/report`, { reason: 'harassment' })
    const by = await mine.post<{ id: number }>(`/api/v1/products/${requested}/report`, { reason: 'scam' })
    await theirs.post(`/api/v1/swaps/${swapId}/accept`)
    await mine.post(`/api/v1/swaps/${swapId}/dispute`, { reason: 'It is broken.' })
    const panel = await givenPanel(service)
    const note = 'internal_note'
    const refusal = { reason_code: 'prohibited_item', message: 'Not here', note }
    for (const answer of [
      await panel.post(`/report/reported-users/${about.json.data.id}/assign`),
      await panel.post(`/report/reported-users/${about.json.data.id}/resolve`, { action: 'other', note }),
      await panel.post(`/report/reported-product/${by.json.data.id}/resolve`, { action: 'other', note }),
      await panel.post(`/reject-product/${ownProduct}`, refusal),
      await panel.delete(`/product/${ownProduct}`, { reason: note }),
      await panel.post(`/swap/${swapId}/messages`, { reason: note }),
      await panel.post(`/swap/${swapId}/resolve`, { resolution: 'cancelled', note }),
      await panel.patch('/user-update', { id: person.userId, status_reason: note }),
    ])
      expect(answer).toMatchObject({ statusCode: 200 })
    const change = { before: null, after: { note }, subjectId: person.userId }
    for (const entity of ['approval', 'group'])
      await recordAuditAlone(service.deps, THE_SERVICE, { action: `${entity}.change`, entity, entityId: 1, change })
    const answer = await ask(service, person.headers)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain(note)
    const changes: { action: string }[] = answer.json().logged_changes
    expect(changes.map(({ action }) => action)).toEqual(['user.update'])
  })

  test('is found by indexes alone, however many people there are', async ({ deps }) => {
    const plan = await inTransaction(deps.db, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const statement = inline(deps.db, selectOwnData(deps.db, 1, new Date()))
      return (await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(statement)}`.execute(tx)).rows
    })
    const lines = plan.map((line) => line['QUERY PLAN'])
    expect(lines.length).toBeGreaterThan(SECTIONS.length)
    expect(lines.filter((line) => /Seq Scan/.test(line))).toEqual([])
  })

  test('is one’s own alone, takes the password, and leaves an audit entry', async ({ service }) => {
    const user = await service.given.user()
    expect((await ask(service, user.headers)).json().errors).toEqual({ current_password: [expect.any(String)] })
    await withPassword(service, user.userId)
    const answer = await ask(service, user.headers)
    const { account, products } = answer.json()
    expect([account.length, account[0].user_id, products]).toEqual([1, user.userId, []])
    const panel = await givenPanel(service)
    const { data } = (await panel.get(`/audit-log?action=account.export&entity_id=${user.userId}`)).json()
    expect(data).toMatchObject([{ actor: { user_id: user.userId } }])
  })

  test('is made for two at once, and others get 503', async ({ service }) => {
    const users = await Promise.all(Array.from({ length: 6 }, () => service.given.user()))
    for (const { userId } of users) await withPassword(service, userId)
    const statuses = await Promise.all(users.map(async ({ headers }) => (await ask(service, headers)).statusCode))
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status !== 200).every((status) => status === 503)).toBe(true)
    expect((await ask(service, users[0]!.headers)).statusCode).toBe(200)
  })

  test('takes no place when it is refused after it was opened', async ({ service, deps }) => {
    const user = await service.given.user()
    await withPassword(service, user.userId)
    await sql`alter table audit_head rename to away`.execute(deps.db)
    try {
      for (let n = 0; n < 3; n++) expect((await ask(service, user.headers)).statusCode).toBe(500)
    } finally {
      await sql`alter table away rename to audit_head`.execute(deps.db)
    }
    expect((await ask(service, user.headers)).statusCode).toBe(200)
  })
})

async function withPassword({ deps }: Service, userId: number): Promise<void> {
  await deps.db
    .updateTable('users')
    .set(await hashed(deps, PASSWORD, []))
    .where('user_id', '=', userId)
    .execute()
}

function ask({ app }: Service, headers: Record<string, string>) {
  return app.inject({ method: 'POST', url: '/api/v1/account/export', headers, payload: { current_password: PASSWORD } })
}
