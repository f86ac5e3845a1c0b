import type { Deps } from '../../deps.ts'
import { copyUsersOut, type ExportColumn, type RowShape } from './users-export.queries.ts'
import type { UserFilter } from '../users/users-filter.queries.ts'

export type UsersToCopy = { filter: UserFilter; columns: ExportColumn[]; shape: RowShape }

/**
 * Streams users from one snapshot (decision C8); `rows` is known before the first row, and the stream fails if the
 * number differs.
 */
export function copyUsers(
  { db, config, log, limits }: Pick<Deps, 'db' | 'config' | 'log' | 'limits'>,
  wanted: UsersToCopy,
) {
  const { silenceMs } = limits
  return copyUsersOut({ db, url: config.DATABASE_URL, log, limits: { silenceMs } }, wanted)
}
