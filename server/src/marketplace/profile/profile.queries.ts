import type { Db, DbPool, Tx } from '../../platform/db/connect.ts'
import { unlessHomeAway } from '../../platform/db/homes.ts'
import { runPrepared } from '../../platform/db/prepared.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { must } from '../../platform/shared/must.ts'
import { OPEN_SWAP } from '../../platform/shared/words.ts'
import { toBlock, toHome, toPlace } from '../../push/records/home.queries.ts'

export type Profile = NonNullable<Awaited<ReturnType<typeof findProfile>>>

export type ProfileCounts = Record<'unread_notifications' | 'unread_chat_lines' | 'open_swaps' | 'products', number> & {
  unread_not_counted?: true
}

const OWN = `
  (select count(*) from swaps where requester_id = $1 and status in ${wordsIn(OPEN_SWAP)}) +
  (select count(*) from swaps where owner_id = $1 and status in ${wordsIn(OPEN_SWAP)}) as open_swaps,
  (select count(*) from products where user_id = $1 and deleted_at is null) as products`

const ALL = `
  select
    coalesce((select entries[$3::int] from unread where home = $4 and block = $2), 0) as unread_notifications,
    coalesce((select lines[$3::int] from unread where home = $4 and block = $2), 0) as unread_chat_lines, ${OWN}`

const WITHOUT_UNREAD = `
  select 0 as unread_notifications, 0 as unread_chat_lines, true as unread_not_counted, ${OWN}`

/** Prepared, because the app asks at every start. */
export async function countOwn(pool: DbPool, userId: number): Promise<ProfileCounts> {
  const home = toHome(pool, userId)
  const values = [userId, toBlock(userId), toPlace(userId) + 1, home]
  const [counts] = await unlessHomeAway(
    pool,
    home,
    () => runPrepared<ProfileCounts>(pool, { name: 'own counts', text: ALL, values }),
    () => runPrepared<ProfileCounts>(pool, { name: 'own counts, away', text: WITHOUT_UNREAD, values: [userId] }),
  )
  return must(counts, 'counts of a profile')
}

export function findProfile(db: Db | Tx, userId: number) {
  return db
    .selectFrom('users')
    .select(['user_id', 'username', 'email', 'name', 'city', 'avatar_url', 'language', 'time_zone', 'version'])
    .select('created_at')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
