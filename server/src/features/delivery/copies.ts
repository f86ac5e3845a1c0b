import type { Platform, SkipReason } from '../../db/tables.ts'

/** A copy that was just written, with its request; or a user who gets none, and why. */
export type NewCopy =
  | {
      batch_id: number
      user_id: number
      device_id: number
      token: string
      platform: Platform
      notification_id: number
      submission_id: number
      skip: null
    }
  | { batch_id: number; user_id: number; skip: SkipReason }

export type Resubmission = { notificationId: number; userId: number; submissionId: number }

export type StoredOutcome = {
  notificationId: number
  userId: number
  submissionId: number
  ticketId: string | null
  code: string | null
  /** No further attempt: with a code, Permanently Failed. */
  final: boolean
}

export type OutcomeCount = { messageId: number; batchId: number; sent: number; failed: number }

export type StoredReceipt = { notificationId: number; userId: number; delivered: boolean; code: string | null }
