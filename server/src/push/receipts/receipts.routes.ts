import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { actorOf } from '../../platform/http/actor.ts'
import { answers, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { enqueue, newJobId } from '../../platform/jobs/queue.ts'
import { recordAuditAlone } from '../../platform/audit/audit.ts'

const LIMIT_DEFAULT = 1_000
const LIMIT_MAX = 10_000

/** Receipts on demand; the schedule of the service asks by itself (decision B16). */
export function registerReceiptsRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/admin/process-receipts',
    {
      config: { access: 'campaigns', effect: 'write' },
      schema: {
        tags: ['Receipts'],
        summary: 'Fetch open receipts from the provider now, in the background, oldest first',
        querystring: Type.Object({
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'The most receipts to ask for, up to 10,000; default 1,000.',
            }),
          ),
        }),
        response: answers(202, Success(Type.Object({ limit: Type.Integer() })), 401, 403, 422),
      },
    },
    async (request, reply) => {
      const limit = Math.min(request.query.limit ?? LIMIT_DEFAULT, LIMIT_MAX)
      const id = newJobId()
      // A run of its own for each call: none waits for another.
      await enqueue(deps.queue, deps.db, 'fetch-receipts', [{ id, data: { limit, dueOnly: false }, singletonKey: id }])
      await recordAuditAlone(deps, actorOf(request), { action: 'receipts.fetch', entity: 'receipts' })
      return reply.code(202).send(ok({ limit }, 'Receipt processing started'))
    },
  )
}
