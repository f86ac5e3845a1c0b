import { randomUUID } from 'node:crypto'
import { call, register, type Answer } from './api.ts'
import type { World } from './world.ts'

/** Two people, of whom one proposes swaps to the other: a swap and its push are one transaction. */
export type Traders = Record<'requester' | 'owner', { token: string; userId: number }>

export async function givenTraders(url: string): Promise<Traders> {
  return { requester: await register(url), owner: await register(url) }
}

/** Proposes a swap of new products. Undefined: there was no answer. */
export async function propose(
  { pool }: World,
  url: string,
  traders: Traders,
): Promise<() => Promise<Answer | undefined>> {
  const { rows } = await pool.query<{ id: number }>(
    `with category as (
       insert into categories (slug, name) values ('things', 'Things')
       on conflict (slug) do update set name = 'Things' returning category_id)
     insert into products (user_id, category_id, title, description, condition, images, status, verification, submitted_at,
       created_at, updated_at)
     select owner, category_id, 'A thing', 'It is a thing', 'good', '[]', 'active', 'verified', now(), now(), now()
     from category cross join unnest($1::bigint[]) owner returning product_id::int as id`,
    [[traders.requester.userId, traders.owner.userId]],
  )
  const [offered, requested] = rows.map(({ id }) => id)
  const headers = { 'idempotency-key': randomUUID() }
  const body = { offered: [offered], requested: [requested] }
  const { token } = traders.requester
  return () => call(url, 'POST', '/api/v1/swaps', { token, headers, body }).catch(() => undefined)
}

/** A sentence for each swap without its push, and for pushes without a swap. */
export async function findHalves({ pool }: World): Promise<{ swaps: number; faults: string[] }> {
  const { rows } = await pool.query<{ swap: number | null; message: number | null; addressed: number }>(
    `with batched as (select message_id, count(*)::int as batches from batches group by message_id)
     select s.swap_id::int as swap, m.message_id::int as message, coalesce(batches, 0) as addressed
     from swaps s full join (
       select message_id, (data ->> 'transaction_id')::bigint as swap_id from messages where event = 'swap_status') m
       using (swap_id)
     left join batched using (message_id)`,
  )
  const faults = rows.flatMap(({ swap, message, addressed }) => {
    if (swap === null) return [`message ${message} tells of a swap that does not exist`]
    if (message === null) return [`swap ${swap} has no push`]
    return addressed === 1 ? [] : [`the push of swap ${swap} has ${addressed} batches`]
  })
  return { swaps: rows.filter(({ swap }) => swap !== null).length, faults }
}
