import type { Deps } from '../../deps.ts'
import { copyUsersOut, type UsersToCopy } from './users-export.queries.ts'

/** `rows` is known before the first row, and the stream fails if the number differs (decision C8). */
export function copyUsers(
  { db, config, log, limits }: Pick<Deps, 'db' | 'config' | 'log' | 'limits'>,
  wanted: UsersToCopy,
) {
  const { silenceMs } = limits
  return copyUsersOut({ db, url: config.DATABASE_URL, log, limits: { silenceMs } }, wanted)
}
