import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'

/** `place`: of the event among those asked about. */
export type Listener = { place: number; userId: number; by: number | null }

/** The listeners without a block between them and `by`, with their language (BCP 47), by event and person. */
export async function listTold(
  tx: Tx,
  listeners: Listener[],
): Promise<{ place: number; userId: number; language: string }[]> {
  // Null stands for nobody: no user has the id 0.
  const { rows } = await sql<{ place: number; userId: number; language: string }>`
    select t.place, t.user_id as "userId", coalesce(u.language, 'en') as language
    from unnest(${int8Array(listeners.map((one) => one.place))}::bigint[], ${int8Array(listeners.map((one) => one.userId))}::bigint[],
      ${int8Array(listeners.map((one) => one.by ?? 0))}::bigint[]) as t(place, user_id, by)
    left join users u on u.user_id = t.user_id
    where not exists (select from user_blocks where blocker_id = t.user_id and blocked_id = t.by)
      and not exists (select from user_blocks where blocker_id = t.by and blocked_id = t.user_id)
    order by t.place, t.user_id`.execute(tx)
  return rows
}
