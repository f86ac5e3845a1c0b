import { sql } from 'kysely'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'

/** `place`: of the event among those asked about. */
export type Listener = { place: number; userId: number; by: number | null }

/** `name`: of `by`, if the person allows names in pushes. */
export type Recipient = { place: number; userId: number; language: string; name: string | null }

/** The listeners without a block between them and `by`, with their language (BCP 47), by event and person. */
export async function listRecipients(tx: Tx, listeners: Listener[]): Promise<Recipient[]> {
  // Null stands for nobody: no user has the id 0.
  const { rows } = await sql<Recipient>`
    select t.place, t.user_id as "userId", coalesce(u.language, 'en') as language,
      (select b.name from users b where b.user_id = t.by and not exists (
        select from push_preferences p where p.user_id = t.user_id and not p.sender_names)) as name
    from unnest(${int8Array(listeners.map((one) => one.place))}::bigint[],
      ${int8Array(listeners.map((one) => one.userId))}::bigint[],
      ${int8Array(listeners.map((one) => one.by ?? 0))}::bigint[]) as t(place, user_id, by)
    left join users u on u.user_id = t.user_id
    where ${notBlocked(sql`t.user_id`, sql`t.by`)}
    order by t.place, t.user_id`.execute(tx)
  return rows
}
