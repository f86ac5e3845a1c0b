import { sql } from 'kysely'
import { listBadges } from '../../src/push/badges/badges.queries.ts'
import { listEntries } from '../../src/push/inbox/entries.queries.ts'
import { groupByHome } from '../../src/push/records/home.queries.ts'
import { copiesFor } from '../../src/push/ledger/person.queries.ts'
import type { LedgerModel, ModelPerson } from './ledger-model.ts'
import { readProviderCounts, storedCounts } from './ledger.ts'
import type { Service } from './service.ts'

/**
 * What tables, view, counters, inboxes and badges say, in the form of `toExpected`. `foundOtherwise`: copies that are
 * not found from their person as the view has them.
 */
export async function readActual(
  service: Service,
  { people, model }: { people: readonly ModelPerson[]; model: LedgerModel },
) {
  const { db } = service.deps
  const messages = []
  for (const { messageId } of model.messages) {
    const { rows } = await sql<{ copy: string }>`
      select concat_ws(' ', mobile_devices_id, case when is_delivered then 'delivered' when is_send and is_delivered is null then 'sent'
        when is_send then 'undelivered' when error_message = 'OutcomeUnknown' and settled_at is not null then 'ended unknown'
        when settled_at is not null then 'ended' else 'waits' end, attempts, possible_duplicates, is_open::text,
        (shown_at is not null)::text, (dismissed_at is not null)::text) as copy
      from notifications where message_id = ${messageId}`.execute(db)
    const { rows: skips } = await sql<{ skip: string }>`
      select user_id || ' ' || reason as skip from skips cross join unnest(user_ids) user_id
      where message_id = ${messageId}`.execute(db)
    const { rows: counted } = await sql<{ reason: string }>`
      select substring(name from 9) as reason from message_counts c, jsonb_each_text(to_jsonb(c)) as count(name, n)
      cross join generate_series(1, n::int) where message_id = ${messageId} and name like 'skipped%'`.execute(db)
    const copies = rows.map(({ copy }) => copy).toSorted()
    const skipped = skips.map(({ skip }) => skip).toSorted()
    const reasons = counted.map(({ reason }) => reason).toSorted()
    const counts = await storedCounts(service, messageId)
    const { stored: providers } = await readProviderCounts(service, messageId)
    messages.push({ messageId, copies, skipped, reasons, counts, providers })
  }
  const foundOtherwise = []
  for (const [home, own] of groupByHome(db, people, ({ userId }) => userId)) {
    const { rows } = await sql`
      with one as (
        select user_id, message_id from unnest(${own.map(({ userId }) => userId)}::bigint[]) user_id
        cross join unnest(${model.messages.map(({ messageId }) => messageId)}::bigint[]) message_id),
      seen as (select to_jsonb(n) - 'message_at' as copy from notifications n join one using (user_id, message_id) where n.home = ${home}),
      found as (select to_jsonb(c) as copy from one cross join lateral ${copiesFor(home, sql`one.user_id`, sql`one.message_id`)} c)
      (select * from seen except select * from found) union all (select * from found except select * from seen)`.execute(
      db,
    )
    foundOtherwise.push(...rows)
  }
  const inboxes = []
  for (const { userId } of people) inboxes.push(await readInbox(service, userId))
  const badges = await listBadges(
    db,
    people.map(({ userId }) => userId),
  )
  return { messages, foundOtherwise, inboxes, badges: badges.map(({ total }) => total) }
}

async function readInbox({ deps }: Service, userId: number): Promise<string[]> {
  const all = { isUnread: false, isArchived: false, kind: undefined }
  const page = { after: undefined, limit: 1_000 }
  const rows = [
    ...(await listEntries(deps.db, userId, all, page)),
    ...(await listEntries(deps.db, userId, { ...all, isArchived: true }, page)),
  ]
  return rows
    .toSorted((a, b) => b.at - a.at)
    .map(({ message_id, is_read, is_archived }) => [message_id, is_read, is_archived].join(' '))
}
