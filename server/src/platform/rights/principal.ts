import type { Role, UserStatus } from '../tables/tables.ts'

/** Who makes a request, as the account is in the database now. */
export type Principal = {
  userId: number
  sessionId: string
  username: string
  email: string
  name: string
  /** Decides about rights: `user` without a required second factor, and 12 h after the session was opened. */
  role: Role
  accountRole: Role
  lacksFactor: boolean
  status: UserStatus
  createdAt: Date
  openedAt: Date
  expiresAt: Date
}
