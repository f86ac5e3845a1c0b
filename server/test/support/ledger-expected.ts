import { expect } from 'vitest'
import { listEntries, type CopyState, type LedgerModel, type ModelCopy, type ModelPerson } from './ledger-model.ts'

function findEnd({ state, isDoubtful, duplicates }: ModelCopy): string {
  return state === 'ended' && (isDoubtful || duplicates > 0) ? 'ended unknown' : state
}

function describeCopy(copy: ModelCopy): string {
  const { deviceId, attempts, duplicates, isOpened, isShown, isDismissed } = copy
  return [deviceId, findEnd(copy), attempts, duplicates, isOpened, isShown, isDismissed].join(' ')
}

/** What tables, views, counters, inboxes and badges must say. */
export function toExpected(model: LedgerModel, people: readonly ModelPerson[]) {
  return {
    messages: model.messages.map(({ messageId, selected, skipped, copies, isToOne }) => {
      const of = (...states: CopyState[]) => copies.filter(({ state }) => states.includes(state)).length
      const sent = of('sent', 'delivered', 'undelivered')
      const delivered = of('delivered')
      const failed = of('undelivered', 'ended')
      const opened = copies.filter(({ isOpened }) => isOpened).length
      const isCounted = !isToOne && sent + failed + opened > 0
      // Who is purged takes along that a message was to one: what ends of it later is counted by provider too.
      const isAnybodys = isToOne && [...copies, ...skipped].some(({ person }) => person.isGone)
      const byProvider = isCounted ? [{ provider: 'expo', accepted: sent, delivered, failed, gone: 0, opened }] : []
      return {
        messageId,
        copies: copies
          .filter(({ person, isLetGo }) => !person.isGone && !isLetGo)
          .map(describeCopy)
          .toSorted(),
        skipped: skipped
          .filter(({ person, hasRow }) => !person.isGone && hasRow)
          .map(({ person, reason }) => `${person.userId} ${reason}`)
          .toSorted(),
        reasons: skipped.map(({ reason }) => reason).toSorted(),
        counts: {
          selected,
          skipped: skipped.length,
          notified: new Set(copies.map(({ person }) => person)).size,
          notifications: copies.length,
          sent,
          delivered,
          opened,
          failed,
          possible_duplicates: copies.reduce((sum, { duplicates }) => sum + duplicates, 0),
        },
        providers: isAnybodys ? expect.any(Array) : byProvider,
      }
    }),
    foundOtherwise: [],
    inboxes: people.map((person) =>
      listEntries(model, person)
        .toReversed()
        .map(({ message, isRead, isArchived }) => [message.messageId, isRead, isArchived].join(' ')),
    ),
    badges: people.map((person) => listEntries(model, person).filter(({ isRead }) => !isRead).length),
  }
}
