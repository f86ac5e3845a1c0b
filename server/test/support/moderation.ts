import type { Service } from './service.ts'

/** A product as it is stored. */
export function toProduct({ deps }: Service, productId: number) {
  return deps.db.selectFrom('products').selectAll().where('product_id', '=', productId).executeTakeFirstOrThrow()
}

/** What moderators decided about a product, oldest first. */
export function toDecisions({ deps }: Service, productId: number) {
  return deps.db
    .selectFrom('moderation_actions')
    .selectAll()
    .where('product_id', '=', productId)
    .orderBy('action_id')
    .execute()
}

/** The changes of its verification, oldest first. */
export function toEvents({ deps }: Service, productId: number) {
  return deps.db
    .selectFrom('state_changes')
    .selectAll()
    .where('entity', '=', 'verification')
    .where('entity_id', '=', productId)
    .orderBy('state_change_id')
    .execute()
}

/** What the audit log calls the writes on it, oldest first. */
export function toAudit({ deps }: Service, productId: number) {
  return deps.db
    .selectFrom('audit_log')
    .select('action')
    .where('entity_id', '=', productId)
    .orderBy('audit_id')
    .execute()
}

/** The messages that are addressed to a user, oldest first. */
export async function toldTo({ deps }: Service, userId: number) {
  const rows = await deps.db
    .selectFrom('messages')
    .innerJoin('batches', 'batches.message_id', 'messages.message_id')
    .select([
      'messages.title',
      'messages.body',
      'messages.data',
      'messages.type',
      'messages.sender_id',
      'batches.user_ids',
    ])
    .orderBy('messages.message_id')
    .execute()
  return rows.filter((row) => row.user_ids.includes(userId))
}
