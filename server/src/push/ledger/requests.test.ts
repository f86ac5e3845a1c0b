import { array, assert, asyncProperty, integer, record } from 'fast-check'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { insertRequests, lockOpenCopies, type RequestedCopy } from './requests.queries.ts'

const copies = array(
  record({
    batchId: integer({ min: 1, max: 4 }),
    place: integer({ min: 0, max: 99 }),
    round: integer({ max: 255, min: 1 }),
  }),
  { minLength: 1, maxLength: 20 },
)

test('a request gives back each copy with its batch, in whatever order they were claimed', async ({ deps }) => {
  await assert(
    asyncProperty(copies, async (asked) => {
      await deps.db.deleteFrom('requests').execute()
      const times = { now: fromNow(deps.clock), leaseUntil: fromNow(deps.clock, 1_000) }
      const request = { messageIds: [1], copies: asked }
      const stored = await inTransaction(deps.db, async (tx) => {
        await insertRequests(tx, { home: 0, provider: 'expo' }, [request], times)
        return lockOpenCopies(tx, 0)
      })
      expect(stored.toSorted(inOrder)).toEqual(asked.toSorted(inOrder))
    }),
  )
  await deps.db.deleteFrom('requests').execute()
})

function inOrder(a: RequestedCopy, b: RequestedCopy): number {
  return a.batchId - b.batchId || a.place - b.place || a.round - b.round
}
