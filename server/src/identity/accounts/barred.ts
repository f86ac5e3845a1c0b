import type { UserStatus } from '../../platform/tables/tables.ts'

/** Such a person cannot sign in, gets no mail, and nobody sees their products. */
export function isBarred(status: UserStatus): boolean {
  return status === 'suspended' || status === 'banned'
}
