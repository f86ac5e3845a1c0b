import { errors } from '../../platform/shared/errors.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/connect.ts'
import { unlessAway } from '../../platform/db/homes.ts'
import { inWork, type Ground, type Work } from '../../platform/work/work.ts'
import {
  findMessageOfCopy,
  listUnreadAbout,
  markOnDevice,
  markReadUpTo,
  markSeen,
  readHeld,
  storeReactions,
  type CopyOfUser,
  type DeviceEvent,
  type Held,
} from '../ledger/reactions.queries.ts'
import { changeLines, changeUnread, recountIn, type Unread } from '../ledger/badge-counts.ts'
import { holdRecount } from '../ledger/badge-counts.queries.ts'
import { isPersonAway, toHome } from '../records/home.queries.ts'
import { addCounts } from '../records/counts.queries.ts'
import { countOpened } from '../records/way-counts.queries.ts'
import { countPushes } from '../records/push-counts.queries.ts'

export type EntryOfUser = { messageId: number; userId: number }
export type Recorded = CopyOfUser & { event: DeviceEvent }

/** The user's other copies of its message are opened too (decision B18). 404 for another's. */
export async function openNotification(work: Work, target: CopyOfUser): Promise<CopyOfUser> {
  const messageId = await findMessageOfCopy(work.tx, target)
  if (messageId === undefined) throw errors.notFound('This notification')
  await react(work, target.userId, [messageId], 'open')
  return target
}

/** Reading one entry opens its copies (decision B25); 404 for another's. */
export async function readEntry(work: Work, entry: EntryOfUser): Promise<EntryOfUser> {
  expectListed(await react(work, entry.userId, [entry.messageId], 'open'))
  return entry
}

/** Read, not opened, and out of the list; 404 for another's. */
export async function archiveEntry(work: Work, entry: EntryOfUser): Promise<EntryOfUser> {
  expectListed(await react(work, entry.userId, [entry.messageId], 'archive'))
  return entry
}

/** Reads all entries up to one, without opening them: one mark, however many they are. 404 for another's. */
export async function readUpTo(work: Work, { userId, messageId }: EntryOfUser): Promise<number> {
  return changeUnread(work, [userId], async (unread) => {
    if (!(await markReadUpTo(work.tx, userId, messageId, work.now()))) throw errors.notFound('This entry')
    await recountIn(work, unread, [userId])
    return unread.readCounts(userId).entries
  })
}

/** Reads all about a record, such as `swap:7`, without opening it. Gives how many entries are left unread. */
export async function readAbout(work: Work, userId: number, subject: string): Promise<number> {
  const messageIds = await listUnreadAbout(work.tx, userId, subject)
  return changeUnread(work, [userId], async (unread) => {
    await reactIn(work, unread, { userId, messageIds, act: 'read' })
    return unread.readCounts(userId).entries
  })
}

/**
 * Whoever opens a swap or its chat has read what is about it; `lines` of the chat were read just now. While their home
 * is away, its entries stay unread.
 */
export async function openSwap(
  work: Work,
  userId: number,
  { swapId, lines }: { swapId: number; lines: number },
): Promise<void> {
  if (isPersonAway(work, userId)) return holdRecount(work.tx, userId)
  const messageIds = await listUnreadAbout(work.tx, userId, `swap:${swapId}`)
  if (messageIds.length === 0 && lines === 0) return
  await changeLines(work, { userId, lines: -lines }, async (unread) => {
    await reactIn(work, unread, { userId, messageIds, act: 'read' })
  })
}

/** Does the same for a call that only reads: a change is made where something is unread. */
export async function noteSwapOpened(
  ground: Ground & { db: Db },
  { userId, swapId }: { userId: number; swapId: number },
): Promise<void> {
  const unread = await unlessAway(ground.db, listUnreadAbout(ground.db, userId, `swap:${swapId}`), [])
  if (unread.length > 0) await inWork(ground, THE_SERVICE, (work) => openSwap(work, userId, { swapId, lines: 0 }))
}

export async function seeEntries(work: Work, userId: number): Promise<void> {
  await markSeen(work.tx, userId, work.now())
}

/** The first time counts; 404 for another's notification. */
export async function recordDeviceEvent({ tx, now }: Work, target: CopyOfUser, event: DeviceEvent): Promise<Recorded> {
  if (!(await markOnDevice(tx, target, event, now()))) throw errors.notFound('This notification')
  return { ...target, event }
}

type Act = 'open' | 'read' | 'archive'

async function react(work: Work, userId: number, messageIds: number[], act: Act): Promise<Held[]> {
  const held = await changeUnread(work, [userId], (unread) => reactIn(work, unread, { userId, messageIds, act }))
  if (act !== 'open') return held
  const opened = held
    .filter(({ isOpened }) => !isOpened)
    .map(({ messageId, ways }) => ({ messageId, ...countOpened(ways) }))
  const home = toHome(work.tx, userId)
  await addCounts(work.tx, home, opened, userId)
  await countPushes(work.tx, home, opened, { at: work.now(), seed: userId })
  return held
}

/** Gives what the person had of each message before. */
async function reactIn(
  work: Work,
  unread: Unread,
  { userId, messageIds, act }: { userId: number; messageIds: number[]; act: Act },
): Promise<Held[]> {
  const now = work.now()
  const held = await readHeld(work.tx, userId, messageIds)
  const touched = act === 'read' ? held.filter(({ isRead }) => !isRead) : held
  await storeReactions(
    work.tx,
    userId,
    touched.map(({ messageId }) => messageId),
    { readAt: now, openedAt: act === 'open' ? now : null, archivedAt: act === 'archive' ? now : null },
  )
  unread.addEntries(userId, -held.filter(({ isListed, isRead }) => isListed && !isRead).length)
  return held
}

function expectListed(held: Held[]): void {
  if (!held.some(({ isListed }) => isListed)) throw errors.notFound('This entry')
}
