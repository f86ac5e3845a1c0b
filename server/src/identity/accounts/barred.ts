import { BARRED } from '../../platform/shared/words.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'

export function isBarred(status: UserStatus): boolean {
  return BARRED.some((barred) => barred === status)
}
