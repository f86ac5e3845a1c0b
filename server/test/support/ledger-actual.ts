import { sql } from 'kysely'
import { listBadges } from '../../src/push/badges/badges.queries.ts'
import { listEntries } from '../../src/push/inbox/entries.queries.ts'
import type { LedgerModel, ModelPerson } from './ledger-model.ts'
import { storedCounts } from './ledger.ts'
import type { Service } from './service.ts'

/** What tables, view, counters, inboxes and badges say, in the form of `toExpected`. */
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
        when settled_at is not null then 'ended' else 'waits' end, attempts, possible_duplicates, is_open) as copy
      from notifications where message_id = ${messageId}`.execute(db)
    const { rows: skips } = await sql<{ user_id: number }>`
      select distinct unnest(user_ids) as user_id from skips where message_id = ${messageId}`.execute(db)
    const copies = rows.map(({ copy }) => copy.replace(/t$/, 'true').replace(/f$/, 'false')).toSorted()
    const skipped = skips.map(({ user_id }) => user_id).toSorted((a, b) => a - b)
    messages.push({ messageId, copies, skipped, counts: await storedCounts(service, messageId) })
  }
  const inboxes = []
  for (const { userId } of people) inboxes.push(await readInbox(service, userId))
  const badges = await listBadges(
    db,
    people.map(({ userId }) => userId),
  )
  return { messages, inboxes, badges: badges.map(({ total }) => total) }
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
