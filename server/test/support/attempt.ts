import { claimBatches, type Answered, type Claim } from '../../src/push/pipeline/claim.ts'
import type { Service } from './service.ts'

/** Transaction 1 of all that waits of a message, as a worker does it before its calls. */
export async function claimAll({ deps }: Service, messageId: number): Promise<Claim> {
  const work = await deps.db.selectFrom('work').select('work_id').where('message_id', '=', messageId).execute()
  return claimBatches(deps, { workIds: work.map(({ work_id }) => work_id) })
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
