import { fileURLToPath } from 'node:url'
import { load } from './callers.ts'
import type { Api } from './client.ts'
import type { Bench } from './setup.ts'

export type ProfileFigures = { ours: number; bare: number }

const SECONDS = 6
const USERS = 1_000

/** Profiles a second for an administrator, against a bare handler that runs the same query for the same users. */
export async function measureProfile(bench: Bench, origin: string, { token }: Api): Promise<ProfileFigures> {
  await using bare = await bench.script(fileURLToPath(new URL('bare-profile.ts', import.meta.url)), {})
  const { rows } = await bench.pool.query<{ user_id: string }>(
    `select user_id from users where role = 'user' order by user_id limit $1`,
    [USERS],
  )
  const calls = rows.map(({ user_id }) => ({
    path: `/api/admin/v1/user-profile?id=${user_id}`,
    headers: { authorization: `Bearer ${token}` },
  }))
  const ours = await load(origin, calls, SECONDS)
  const theirs = await load(bare.url, calls, SECONDS)
  return { ours: ours.perSecond, bare: theirs.perSecond }
}
