import { claimBatches, type Claim } from '../../src/push/pipeline/claim.ts'
import type { Answered } from '../../src/push/pipeline/copy-outcomes.ts'
import type { Service } from './service.ts'

/** Transaction 1 of all batches of a message, as a worker does it before its calls. */
export async function claimAll({ deps }: Service, messageId: number): Promise<Claim> {
  const batches = await deps.db.selectFrom('batches').select('batch_id').where('message_id', '=', messageId).execute()
  return claimBatches(deps, { batchIds: batches.map((batch) => batch.batch_id) })
}

/** The calls of a claim, and nothing after them. */
export async function callAll({ deps }: Service, claim: Claim): Promise<Answered[]> {
  return Promise.all(
    claim.requests.map(async (request) => ({
      request,
      ...(await deps.provider.submit(request.map(({ push }) => push))),
    })),
  )
}
