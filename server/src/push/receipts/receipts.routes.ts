import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { answers, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { enqueue, newJobId } from '../../platform/jobs/queue.ts'
import { recordAudit } from '../../platform/audit/audit.ts'

const LIMIT_DEFAULT = 1_000
const LIMIT_MAX = 10_000

/** The service also asks on a schedule (decision B16). */
export function registerReceiptsRoutes(app: App, deps: Deps): void {
  app.get('/api/admin/process-receipts', {
    config: { access: 'campaigns', effect: 'write' },
    schema: {
      tags: ['Receipts'],
      operationId: 'fetchReceipts',
      summary: 'Fetch open receipts from the provider now, in the background, oldest first',
      querystring: Type.Object({
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The maximum number of receipts to ask for, up to 10,000; default 1,000.',
          }),
        ),
      }),
      response: answers(202, Success(Type.Object({ limit: Type.Integer() })), 401, 403, 422),
    },
    handler: async (request, reply) => {
      const limit = Math.min(request.query.limit ?? LIMIT_DEFAULT, LIMIT_MAX)
      const id = newJobId()
      const answer = { status: 202, message: 'Receipt processing started', view: () => ({ limit }) } as const
      return write(deps, { request, reply }, answer, async (tx, caller) => {
        // A run of its own for each call: none waits for another.
        await enqueue(deps.queue, tx, 'fetch-receipts', [{ id, data: { limit, dueOnly: false }, singletonKey: id }])
        await recordAudit(tx, deps, caller, { action: 'receipts.fetch', entity: 'receipts' })
      })
    },
  })
}
