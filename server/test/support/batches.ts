import { sql } from 'kysely'
import { COPY, copyAt } from '../../src/push/ledger/ledger.ts'
import { readLedgers } from '../../src/push/ledger/ledger.queries.ts'
import type { Service } from './service.ts'

export type PartOfBatch = { provider: string; status: 'waiting' | 'submitting' | 'done'; attempts: number }

/** The copies of each batch of a message by their provider: how far they are, and the tries that count. */
export async function readBatches({ deps }: Pick<Service, 'deps'>, messageId: number): Promise<PartOfBatch[]> {
  const { rows } = await sql<{ home: number; batchId: number }>`
    select home, batch_id as "batchId" from batches where message_id = ${messageId}`.execute(deps.db)
  const ledgers = []
  for (const [home, own] of Map.groupBy(rows, (row) => row.home)) {
    const batchIds = own.map(({ batchId }) => batchId)
    ledgers.push(...(await readLedgers(deps.db, home, batchIds)).values())
  }
  return ledgers.flatMap((ledger) => {
    const copies = ledger.deviceIds.map((_, place) => copyAt(ledger, place))
    const parts = [...Map.groupBy(copies, ({ provider }) => provider)].toSorted(([a], [b]) => a.localeCompare(b))
    return parts.map(([provider, own]): PartOfBatch => {
      const has = (...states: number[]) => own.some(({ state }) => states.includes(state))
      const status = has(COPY.created, COPY.failed) ? 'waiting' : has(COPY.asked) ? 'submitting' : 'done'
      return { provider, status, attempts: Math.max(...own.map(({ tries }) => tries)) }
    })
  })
}
