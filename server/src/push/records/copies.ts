import type { Platform, SkipReason } from '../../platform/tables/tables.ts'

/**
 * What was just decided about users of batches, as columns: the copies of one request, the devices of other providers
 * that are still to get a copy, or the users who get none, for one reason.
 */
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

/** A copy that is about to be sent again; `before` are its possible duplicates so far. */
export type Resubmission = { notificationId: number; userId: number; submissionId: number; before: number }

/** A copy that another attempt took; `possible_duplicates` is 1 when an attempt before it may have arrived. */
export type Resubmitted = { notificationId: number; messageId: number; possible_duplicates: number }

export type StoredOutcome = {
  notificationId: number
  userId: number
  submissionId: number
  ticketId: string | null
  code: string | null
  /** No further attempt: with a code, Permanently Failed. */
  final: boolean
  /** No request with it left this process: the attempt is not counted. */
  unsent: boolean
}

export type OutcomeCount = { messageId: number; sent: number; delivered: number; failed: number }

export type StoredReceipt = { notificationId: number; userId: number; delivered: boolean; code: string | null }

/** A copy that waits for another provider. */
export type WaitingCopy = { messageId: number; batchId: number; userId: number; deviceId: number }

/** A copy that ends unsent, with the code of its end. */
export type UnsentCopy = { notificationId: number; userId: number; code: string }

export type EndedCount = { messageId: number; failed: number }
export type ReceiptCount = { messageId: number; delivered: number; failed: number }
export type OpenedCount = { messageId: number; opened: number }

/** A copy by its id and its user. */
export type CopyOfUser = { notificationId: number; userId: number }

/** What the app says of a copy. */
export type DeviceEvent = 'shown' | 'dismissed'

/** Copies of requests that were given up, with the user and the request of each. */
export type UnknownCopies = { notificationIds: number[]; userIds: number[]; submissionIds: (number | null)[] }

/** When the first of the messages of some copies was made; undefined: it is not known. */
export type MadeFrom = Date | undefined

/** Which rows are deleted next: with an id above `after`, from before a moment, up to `limit`. */
export type DeleteStep = { after: number; before: Date; limit: number }

/** How many rows were deleted, and the highest of their ids; null: none was. */
export type Deleted = { deleted: number; last: number | null }

/** A change of copies: when the first of their messages was made, and when it is. */
export type ChangeAt = { made: MadeFrom; now: Date }

/** The earliest of moments; undefined when there is none, or when one is not known. */
export function earliestOf(moments: readonly (Date | null)[]): Date | undefined {
  const earliest = Math.min(...moments.map((moment) => moment?.getTime() ?? NaN))
  return Number.isFinite(earliest) ? new Date(earliest) : undefined
}

/** What a user has unsent of a batch, and the batch to which it goes. */
export type CopyMove = { userId: number; from: number; to: number }
