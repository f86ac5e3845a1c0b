import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, EmptyBody, Id, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { DecisionView, toDecision } from '../desk/decide.routes.ts'
import { ownDecisions, undoDecision } from '../desk/decisions.ts'

export function registerDecisionsRoutes(app: App, deps: Deps): void {
  app.get('/api/admin/v1/decisions', {
    config: { access: 'panel' },
    schema: {
      operationId: 'listOwnDecisions',
      summary: 'Your decisions of the last ten minutes, newest first',
      response: answers(200, Success(Type.Array(DecisionView))),
    },
    handler: async (request) => {
      const decisions = await ownDecisions(deps, principalOf(request).userId)
      return ok(decisions.map(toDecision), 'Decisions')
    },
  })

  app.post('/api/admin/v1/decisions/:id/undo', {
    config: { access: 'panel' },
    schema: {
      operationId: 'undoDecision',
      summary: 'Undo a decision of yours within its five seconds; nothing was changed, and nobody was told',
      params: Type.Object({ id: Id }),
      body: EmptyBody,
      response: answers(200, Success(DecisionView), 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Decision undone', view: toDecision }, ({ tx, by: actor }) =>
        undoDecision(deps, tx, actor, request.params.id),
      ),
  })
}
