import { sql } from 'kysely'
import type { Runner, Tx } from '../../platform/db/connect.ts'
import { toSlot } from './counts.queries.ts'
import { listHomes } from './home.queries.ts'
import { additions } from './sums.queries.ts'

const EVENTS = ['sent', 'delivered', 'opened'] as const

const ADDED = sql`on conflict (home, bucket, slot) do update set ${additions('p', EVENTS)}`

/** It counts in the transaction that stores the push, so that the insights need no index on notifications (ADR 20). */
export async function countPushes(
  tx: Runner,
  home: number,
  changes: readonly { [Event in (typeof EVENTS)[number]]?: number }[],
  { at, seed }: { at: Date; seed: number },
): Promise<void> {
  const sums = EVENTS.map((event) => changes.reduce((sum, change) => sum + (change[event] ?? 0), 0))
  if (sums.every((sum) => sum <= 0)) return
  await sql`
    insert into push_counts as p (home, bucket, slot, sent, delivered, opened)
    values (${home}, ${toQuarter(sql`${at}::timestamptz`)}, ${toSlot(seed)}, ${sql.join(sums)})
    ${ADDED}`.execute(tx)
}

/** Puts the slots of the quarters before `until` into one, home by home. */
export async function foldSlots(tx: Tx, until: Date): Promise<void> {
  for (const home of listHomes(tx))
    await sql`
      with folded as (
        delete from push_counts where home = ${home} and bucket < ${until} and slot > 0 returning bucket, sent,
          delivered, opened)
      insert into push_counts as p (home, bucket, slot, sent, delivered, opened)
      select ${home}, bucket, 0, sum(sent), sum(delivered), sum(opened) from folded group by bucket
      ${ADDED}`.execute(tx)
}

/** It reads all the notifications, home by home. */
export async function replacePushCounts(tx: Tx, { from, to }: { from: Date; to: Date }): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
  for (const home of listHomes(tx)) {
    await sql`delete from push_counts where home = ${home} and bucket >= ${from} and bucket < ${to}`.execute(tx)
    await sql`
      insert into push_counts (home, bucket, slot, sent, delivered, opened)
      select ${home}, ${toQuarter(sql`e.at`)}, 0, sum(e.sent), sum(e.delivered), sum(e.opened)
      from notifications n cross join lateral (values
        (n.sent_at, 1, 0, 0), (case when n.is_delivered then n.settled_at end, 0, 1, 0), (n.opened_at, 0, 0, 1))
        e(at, sent, delivered, opened)
      where n.home = ${home} and e.at >= ${from} and e.at < ${to}
      group by 2`.execute(tx)
  }
}

export async function findLastDeletion(tx: Tx): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select max(let_go_at) as at from lettings_go`.execute(tx)
  return rows[0]?.at ?? undefined
}

function toQuarter(at: ReturnType<typeof sql>) {
  return sql`date_bin('15 minutes', ${at}, timestamptz 'epoch')`
}
