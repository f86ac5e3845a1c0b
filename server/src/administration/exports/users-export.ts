import type { Deps } from '../../deps.ts'
import { copyUsersOut, type ExportColumn, type RowShape } from './users-export.queries.ts'
import type { UserFilter } from '../users/users-filter.queries.ts'

/** What an export of users is: which, what of them, and in what shape a row is written. */
export type UsersToCopy = { filter: UserFilter; columns: ExportColumn[]; shape: RowShape }

/** Streams users out of one snapshot (decision C8); `rows` is known before the first, and the stream fails unless it gives as many. */
export function copyUsers(
  { db, config, log, limits }: Pick<Deps, 'db' | 'config' | 'log' | 'limits'>,
  wanted: UsersToCopy,
) {
  const { silenceMs } = limits
  return copyUsersOut({ db, url: config.DATABASE_URL, log, limits: { silenceMs } }, wanted)
}
