import { expectHeard } from '../../platform/db/homes.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { countUnread, endHeldRecount, lockBlocks, storeBlocks, type UnreadBlock } from './badge-counts.queries.ts'
import { BLOCK_SIZE, groupByHome, toBlock, toPlace } from '../records/home.queries.ts'

/** Counts under the locks of their blocks. */
export type Unread = {
  /** The time of this change, later than that of any before it to one of these people. */
  at: Date
  readCounts(userId: number): { entries: number; lines: number }
  addEntries(userId: number, count: number): void
  addLines(userId: number, count: number): void
}

/**
 * Locks the blocks of people in order, home by home, lets `change` read rows and count, and stores the counts (ADR 6).
 * Nothing but counters is locked after it, and what decides whether an entry or a line is unread is written inside it.
 */
export async function changeUnread<T>(
  work: Work,
  userIds: readonly number[],
  change: (unread: Unread) => Promise<T> | T,
): Promise<T> {
  const { tx, config } = work
  const blocks = [...new Set(userIds.map(toBlock))].toSorted((a, b) => a - b)
  const held = new Map<number, UnreadBlock>()
  for (const [home, own] of groupByHome(tx, blocks, (block) => block * BLOCK_SIZE)) {
    expectHeard(tx, home)
    for (const block of await lockBlocks(tx, home, own, work.now())) held.set(block.block, block)
  }
  const at = new Date(
    Math.max(work.now().getTime(), ...Array.from(held.values(), ({ changedAt }) => changedAt.getTime() + 1)),
  )
  const changed = new Map<number, Set<number>>()
  const add = (kind: 'entries' | 'lines') => (userId: number, count: number) => {
    if (count === 0) return
    const [block, place] = [toBlock(userId), toPlace(userId)]
    const counts = blockIn(held, block)[kind]
    counts[place] = (counts[place] ?? 0) + count
    changed.set(block, (changed.get(block) ?? new Set()).add(place))
  }
  const result = await change({
    at,
    readCounts: (userId) => {
      const { entries, lines } = blockIn(held, toBlock(userId))
      return { entries: entries[toPlace(userId)] ?? 0, lines: lines[toPlace(userId)] ?? 0 }
    },
    addEntries: add('entries'),
    addLines: add('lines'),
  })
  if (changed.size === 0) return result
  const isWritten = config.FIREBASE_DATABASE_URL !== ''
  const stored = Array.from(changed, ([block, places]) => ({
    ...blockIn(held, block),
    unwritten: isWritten ? writeBits(places) : '0',
  }))
  for (const [home, own] of groupByHome(tx, stored, ({ block }) => block * BLOCK_SIZE))
    await storeBlocks(tx, home, own, at)
  work.announceBadges([...changed.keys()])
  return result
}

/** Counts people from their rows; gives those whose counts were others. */
export async function recountUnread(work: Work, userIds: readonly number[]): Promise<number[]> {
  return userIds.length === 0 ? [] : changeUnread(work, userIds, (unread) => recountIn(work, unread, userIds))
}

/** The same as a part of a change. */
export async function recountIn(work: Work, unread: Unread, userIds: readonly number[]): Promise<number[]> {
  const wrong: number[] = []
  for (const { userId, entries, lines } of await countUnread(work.tx, userIds)) {
    const before = unread.readCounts(userId)
    unread.addEntries(userId, entries - before.entries)
    unread.addLines(userId, lines - before.lines)
    if (entries !== before.entries || lines !== before.lines) wrong.push(userId)
  }
  return wrong
}

/**
 * Counts lines of chats in a change of counts. Who waits to be counted, since their home was away, is counted from the
 * rows. That is asked ahead of the change, because `countHeld` locks in that order.
 */
export async function changeLines(
  work: Work,
  { userId, lines }: { userId: number; lines: number },
  change: (unread: Unread) => Promise<void> | void = () => undefined,
): Promise<void> {
  const waits = lines !== 0 && (await endHeldRecount(work.tx, userId))
  await changeUnread(work, [userId], async (unread) => {
    if (!waits) unread.addLines(userId, lines)
    await change(unread)
    if (waits) await recountIn(work, unread, [userId])
  })
}

function blockIn(held: Map<number, UnreadBlock>, block: number): UnreadBlock {
  return must(held.get(block), 'block of unread counts')
}

function writeBits(places: Set<number>): string {
  return Array.from({ length: BLOCK_SIZE }, (_, place) => (places.has(place) ? '1' : '0')).join('')
}
