import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { actorOf } from '../../platform/http/actor.ts'
import { answers, EmptyBody, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { recordAuditAlone } from '../../platform/audit/audit.ts'
import { resumeSending } from '../pipeline/halt.ts'
import { pushStatus } from './push-status.ts'

const Status = Type.Object({
  breaker: Type.Enum(['closed', 'open', 'half_open', 'halted']),
  code: Nullable(Type.String()),
  since: Nullable(Timestamp),
  retry_at: Nullable(Timestamp),
  rate_per_second: Type.Integer(),
  alerts: Type.Array(
    Type.Object({
      alert_id: Type.Integer(),
      code: Type.String(),
      detail: Type.String(),
      raised_at: Timestamp,
      last_seen_at: Timestamp,
      times: Type.Integer(),
      resolved_at: Nullable(Timestamp),
    }),
  ),
})

/** The state of sending as a whole, for administrators: breaker, halts and alerts (decisions B11, B13, B14). */
export function registerStatusRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/admin/push-status',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: ['Status'],
        summary: 'The state of sending, with alerts',
        response: answers(200, Success(Status), 401, 403),
      },
    },
    async () => ok(await pushStatus(deps), 'Push status'),
  )

  app.post(
    '/api/admin/push-status/resume',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: ['Status'],
        summary: 'Resume sending after a halt, and the campaigns that it paused',
        body: EmptyBody,
        response: answers(200, Success(Status), 400, 401, 403, 409, 413, 415, 422),
      },
    },
    async (request) => {
      const resumed = await resumeSending(deps)
      await recordAuditAlone(deps, actorOf(request), { action: 'sending.resume', entity: 'sending' })
      return ok(await pushStatus(deps), `Sending resumed; ${resumed} campaigns go on`)
    },
  )
}
