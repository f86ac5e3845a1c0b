import { sql } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'

/** `isBulk`: of a send to everyone, whose people are kept as a bit each. */
export type NewEntry = { userId: number; messageId: number; madeAt: Date; isBulk: boolean }

// As many neighbouring ids as `bulk_entries.members` has bits.
const BLOCK = 512

export async function insertEntries(tx: Tx, entries: readonly NewEntry[]): Promise<void> {
  const single = entries.filter(({ isBulk }) => !isBulk)
  const columns = { userId: 'bigint', messageId: 'bigint', madeAt: 'timestamptz' } as const
  if (single.length > 0)
    await sql`
      insert into entries (user_id, message_id, made_at)
      select user_id, message_id, made_at from ${asRows(single, columns)} as r(user_id, message_id, made_at)
      on conflict do nothing`.execute(tx)
  const blocks = masksOf(entries.filter(({ isBulk }) => isBulk))
  const ofBlock = { block: 'bigint', messageId: 'bigint', madeAt: 'timestamptz', members: 'text' } as const
  if (blocks.length > 0)
    await sql`
      insert into bulk_entries (block, message_id, made_at, members)
      select block, message_id, made_at, decode(members, 'hex')
      from ${asRows(blocks, ofBlock)} as r(block, message_id, made_at, members)`.execute(tx)
}

function masksOf(entries: readonly NewEntry[]) {
  const masks = new Map<string, { block: number; messageId: number; madeAt: Date; mask: Buffer }>()
  for (const { userId, messageId, madeAt } of entries) {
    const block = Math.floor(userId / BLOCK)
    const key = `${messageId} ${block}`
    const held = masks.get(key) ?? { block, messageId, madeAt, mask: Buffer.alloc(BLOCK / 8) }
    masks.set(key, held)
    const bit = userId % BLOCK
    held.mask[bit >> 3] = (held.mask[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return Array.from(masks.values(), ({ mask, ...block }) => ({ ...block, members: mask.toString('hex') }))
}

/** Deletes up to `limit` of the entries; gives whose badge may change, undefined when there are none. */
export async function deleteEntries(tx: Tx, before: Date, limit: number): Promise<number[] | undefined> {
  const { rows } = await sql<{ user_id: number; message_id: number }>`
    with gone as (
      delete from entries where ctid = any(array(select ctid from entries where made_at < ${before} limit ${limit}))
      returning user_id, message_id),
    blocks as (
      delete from bulk_entries
      where ctid = any(array(select ctid from bulk_entries where made_at < ${before} limit ${Math.ceil(limit / 100)}))
      returning block, message_id, members)
    select user_id, message_id from gone
    union
    select block * 512 + place, message_id from blocks cross join generate_series(0, 511) place
    where get_bit(members, place) = 1`.execute(tx)
  if (rows.length === 0) return undefined
  const { rows: opened } = await sql<{ user_id: number; message_id: number }>`
    select r.user_id, r.message_id from ${asRows(rows, { user_id: 'bigint', message_id: 'bigint' })} e(user_id, message_id)
    join reactions r on r.home = 0 and r.user_id = e.user_id and r.message_id = e.message_id and r.device_id = 0`.execute(
    tx,
  )
  const read = new Set(opened.map(({ user_id, message_id }) => `${user_id} ${message_id}`))
  return [
    ...new Set(
      rows.filter(({ user_id, message_id }) => !read.has(`${user_id} ${message_id}`)).map((row) => row.user_id),
    ),
  ]
}
