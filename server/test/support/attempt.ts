import { sql } from 'kysely'
import { expect } from 'vitest'
import { claimBatches, type Answered, type Claim } from '../../src/push/pipeline/claim.ts'
import type { Service } from './service.ts'
import type { Semaphore } from '../../src/platform/concurrency/semaphore.ts'

/** Transaction 1 of all that waits of a message, as a worker does it before its calls; where it is in one home. */
export async function claimAll(service: Service, messageId: number): Promise<Claim> {
  const [claim, ...others] = await claimEach(service, messageId)
  expect(others).toEqual([])
  return claim!
}

/** One for each home; one without requests where nothing waits. */
export async function claimEach({ deps }: Service, messageId: number): Promise<Claim[]> {
  const { rows } = await sql<{ home: number; workId: number }>`
    select home, work_id as "workId" from work where message_id = ${messageId} order by home`.execute(deps.db)
  const claims: Claim[] = []
  for (const [home, own] of rows.length === 0 ? [[0, []] as const] : Map.groupBy(rows, (row) => row.home))
    claims.push(await claimBatches(deps, { home, workIds: own.map(({ workId }) => workId) }))
  return claims
}

/** The calls of a claim, and nothing after them. */
export async function callAll({ deps }: Service, claim: Claim): Promise<Answered[]> {
  return Promise.all(
    claim.requests.map(async (request) => ({
      request,
      ...(await deps.provider.submit(request)),
    })),
  )
}

/** Takes this many places, at once where they are free, until they are given back. */
export function holdPermits(permits: Semaphore, count: number): () => void {
  const held = Promise.withResolvers<void>()
  for (let n = 0; n < count; n++) void permits.run(() => held.promise)
  return held.resolve
}
