import { until } from '../../server/test/support/until.ts'
import type { Cluster } from './cluster.ts'
import type { World } from './world.ts'

export async function listHomesOf({ pool }: World, { port }: Cluster): Promise<number[]> {
  const { rows } = await pool.query<{ home: number }>(
    `select home from generate_series(0, (select homes from division) - 1) home
     join pg_dist_placement p on shardid = get_shard_id_for_distribution_column('batches', home)
     join pg_dist_node using (groupid) where nodeport = $1 order by home`,
    [port],
  )
  return rows.map(({ home }) => home)
}

/** Nobody makes batches while a worker is away. */
export async function untilDecided({ pool }: World): Promise<void> {
  await until('the campaign had its batches', 60_000, async () => {
    const { rowCount } = await pool.query('select from messages where coordinated_at is null')
    return rowCount === 0
  })
}

/** Waits until each phone of people of other homes has the push of the campaign. `waiting`: how many had not before. */
export async function untilOthersHave({ pool, provider }: World, lost: number[], withinMs = 60_000) {
  const from = performance.now()
  const { rows } = await pool.query<{ token: string; home: number }>(
    `select d.token, (u.user_id >> 9)::int % (select homes from division)::int as home
     from users u join mobile_devices d on d.user_id = u.user_id and d.removed_at is null
     where deleted_at is null and status = 'active' and exists (
       select from user_settings s where s.user_id = u.user_id and s.setting_value = '1' and s.deleted_at is null)`,
  )
  const others = rows.filter(({ home }) => !lost.includes(home))
  const countWaiting = () => {
    const reached = new Set(provider.accepted().map(({ token }) => token))
    return others.filter(({ token }) => !reached.has(token)).length
  }
  const waiting = countWaiting()
  await until('people of other homes had their pushes', withinMs, () => countWaiting() === 0)
  return { ms: Math.round(performance.now() - from), pushes: others.length, waiting }
}
