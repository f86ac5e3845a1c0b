import type { Platform, SkipReason } from '../../platform/tables/tables.ts'

/** Copies of one request, devices of other providers without a copy yet, or users skipped for one reason. */
export type NewCopies =
  | {
      submission_id: number
      skip: null
      providers: null
      batch_ids: number[]
      user_ids: number[]
      device_ids: number[]
      notification_ids: number[]
      tokens: string[]
      platforms: Platform[]
    }
  | {
      submission_id: null
      skip: null
      providers: string[]
      batch_ids: number[]
      user_ids: number[]
      device_ids: number[]
    }
  | { submission_id: null; skip: SkipReason; providers: null; batch_ids: number[]; user_ids: number[] }

/** `before`: its possible duplicates so far. */
export type Resubmission = { notificationId: number; userId: number; submissionId: number; before: number }

/** `possible_duplicates`: 1 when an attempt before it may have arrived. */
export type Resubmitted = { notificationId: number; messageId: number; possible_duplicates: number }

export type StoredOutcome = {
  notificationId: number
  userId: number
  submissionId: number
  ticketId: string | null
  code: string | null
  /** No further attempt: with a code, Permanently Failed. */
  final: boolean
  /** No request with it was sent, so the attempt does not count. */
  unsent: boolean
}

export type StoredReceipt = { notificationId: number; userId: number; delivered: boolean; code: string | null }

export type WaitingCopy = { messageId: number; batchId: number; userId: number; deviceId: number }

export type UnsentCopy = { notificationId: number; userId: number; code: string }

export type OpenedCount = { messageId: number; opened: number }

export type CopyOfUser = { notificationId: number; userId: number }

export type DeviceEvent = 'shown' | 'dismissed'

export type UnknownCopy = CopyOfUser & { submissionId: number | null }

/** When the first of the messages of some copies was made; undefined: it is not known. */
export type MadeFrom = Date | undefined

/** Rows with an id above `after`, from before a moment, up to `limit`. */
export type DeleteStep = { after: number; before: Date; limit: number }

/** After which id the next step goes on; null: nothing old is left. */
export type DeletedUpTo = number | null

export type ChangeAt = { made: MadeFrom; now: Date }

/** Undefined when there is none, or when one is not known. */
export function earliestOf(moments: readonly (Date | null)[]): Date | undefined {
  const earliest = Math.min(...moments.map((moment) => moment?.getTime() ?? NaN))
  return Number.isFinite(earliest) ? new Date(earliest) : undefined
}

export type CopyMove = { userId: number; from: number; to: number }
