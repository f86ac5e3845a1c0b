import type { Deps } from '../../src/deps.ts'

/** The server's statistics, after each session of the pool has reported to them. */
export async function deadlocks(deps: Pick<Deps, 'pool'>): Promise<number> {
  await reportStatistics(deps)
  const { rows } = await deps.pool.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]!.deadlocks)
}

/** Afterwards the server's statistics hold what each session of the pool has read and written. */
export async function reportStatistics({ pool }: Pick<Deps, 'pool'>): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const session of sessions) await session.query('select pg_stat_force_next_flush()')
  for (const session of sessions) session.release()
}
