import { setTimeout as sleep } from 'node:timers/promises'
import type { createBadgeStreams } from '../../src/push/badges/streams.ts'
import type { GivenUser } from './given.ts'
import type { RealTime } from './real-time.ts'

/** Stores a badge and its version, with entries of some 100 KB, and tells the streams of it. */
export async function setBadge(
  { deps: { pool } }: RealTime,
  { userId }: GivenUser,
  streams: ReturnType<typeof createBadgeStreams>,
  total: number,
  entries = 25,
): Promise<void> {
  const at = new Date()
  await pool.query(
    `with said as (
      insert into messages (type, audience, lane, needs_opt_in, title, body, created_at, expires_at, updated_at)
      select 'promotional', 'users', 'campaign', false, 'No. ' || $3, repeat('x', 4000), $2, $2, $2 from generate_series(1, $4::int)
      returning message_id)
    insert into entries (user_id, message_id, made_at, is_listed, has_copy) select $1, message_id, $2, true, false from said`,
    [userId, at, String(total), entries],
  )
  await pool.query(
    `insert into unread (block, entries, lines, changed_at)
     values ($1::bigint >> 6, array_fill(0, array[64]), array_fill(0, array[64]), 'epoch') on conflict do nothing`,
    [userId],
  )
  await pool.query(
    'update unread set entries[($1::bigint & 63)::int + 1] = $3, changed_at = $2 where block = $1::bigint >> 6',
    [userId, at, total],
  )
  streams.wake([Math.floor(userId / 64)])
  await sleep(50)
}
