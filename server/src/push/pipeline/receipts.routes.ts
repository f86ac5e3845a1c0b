import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, Nullable, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { enqueue, newJobId } from '../../platform/jobs/queue.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'

const LIMIT_DEFAULT = 1_000
const LIMIT_MAX = 10_000

const Wanted = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The maximum number of receipts to ask for, up to 10,000; default 1,000.',
    }),
  ),
}
const Fetched = Success(Type.Object({ limit: Type.Integer() }))
const URL = '/api/admin/process-receipts'

/** The service also asks on a schedule (decision B16). */
export function registerReceiptsRoutes(app: App, deps: PushDeps): void {
  app.get(URL, {
    config: { access: 'campaigns', effect: 'write' },
    schema: {
      operationId: 'fetchReceipts',
      summary: 'Fetch open receipts from the provider now, in the background, oldest first',
      querystring: Type.Object(Wanted),
      response: answers(202, Fetched),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, STARTED, ({ tx, by: caller }) => fetchReceipts(deps, tx, caller, request.query)),
  })

  app.post(URL, {
    config: { access: 'campaigns' },
    schema: {
      operationId: 'startFetchingReceipts',
      summary: 'The same as a POST, which the panel makes',
      body: Nullable(Body(Wanted)),
      response: answers(202, Fetched),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, STARTED, ({ tx, by: caller }) =>
        fetchReceipts(deps, tx, caller, request.body ?? {}),
      ),
  })
}

const STARTED = { status: 202, message: 'Receipt processing started', view: (limit: number) => ({ limit }) } as const

/** A run of its own for each call: none waits for another. */
async function fetchReceipts(
  deps: PushDeps,
  tx: Tx,
  caller: Actor,
  { limit: wanted = LIMIT_DEFAULT }: { limit?: number },
): Promise<number> {
  const [id, limit] = [newJobId(), Math.min(wanted, LIMIT_MAX)]
  await enqueue(deps.queue, tx, 'fetch-receipts', [{ id, data: { limit, dueOnly: false }, singletonKey: id }])
  await recordAudit(tx, deps, caller, { action: 'receipts.fetch', entity: 'receipts' })
  return limit
}
