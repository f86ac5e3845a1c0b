import type { FastifyRequest } from 'fastify'
import { Type, type Static, type TSchema } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import {
  answers,
  Component,
  EmptyBody,
  pickFields,
  Id,
  Nullable,
  ok,
  Success,
  Timestamp,
} from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { expectedVersions } from '../../platform/http/etag.ts'
import { write } from '../../platform/http/write.ts'
import type { DecisionKind } from '../../platform/tables/office-tables.ts'
import { CASES, decideCase, type DecisionOn, type Given, type Result } from './cases.ts'
import { holdDecision, ownDecisions, undoDecision } from './decisions.ts'
import type { Decision } from './decisions.queries.ts'

const UndoQuery = Type.Object({
  undoable: Type.Optional(
    Type.Boolean({
      description:
        'Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision.',
    }),
  ),
})

const DecisionView = Component('DeskDecision', {
  id: Type.Integer(),
  kind: Type.Enum(Object.keys(CASES) as DecisionKind[]),
  record_id: Type.Integer({ description: 'Of the product, report or swap.' }),
  verdict: Type.String(),
  status: Type.Enum(['waiting', 'done', 'undone', 'failed']),
  error: Nullable(Type.String({ description: 'Why a decision that failed changed nothing.' })),
  decided_at: Timestamp,
  due_at: Timestamp,
})

export function registerDecisionsRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/decisions', {
    access: 'panel',
    operationId: 'listOwnDecisions',
    summary: 'Your decisions of the last ten minutes, newest first',
    response: answers(200, Success(Type.Array(DecisionView))),
    handler: async (request) => {
      const decisions = await ownDecisions(deps, request.caller.userId)
      return ok(decisions.map(toDecision), 'Decisions')
    },
  })

  registerChange(app, deps, 'POST /api/admin/v1/decisions/:id/undo', {
    access: 'panel',
    operationId: 'undoDecision',
    summary: 'Undo a decision of yours within its five seconds; nothing was changed, and nobody was told',
    body: EmptyBody,
    response: answers(200, Success(DecisionView), 404),
    message: 'Decision undone',
    view: toDecision,
    rule: (work, { params }) => undoDecision(work, params.id),
  })
}

type Call<Kind extends DecisionKind, Input extends TSchema, Answer extends TSchema> = {
  kind: Kind
  /** Its one parameter is the id of the record. */
  url: string
  operationId: string
  summary: string
  description?: string
  message: string
  body: Input
  given: (body: Static<Input>, request: FastifyRequest) => Omit<DecisionOn<Kind>, 'recordId' | 'expected'>
  answer: Answer
  view: (record: Result<Kind>) => Static<Answer>
}

/** A call that decides: now, or with `undoable` after five seconds (ADR 22). */
export function registerDecision<Kind extends DecisionKind, Input extends TSchema, Answer extends TSchema>(
  app: App,
  deps: PushDeps,
  { kind, url, message, body, given, answer, view, ...about }: Call<Kind, Input, Answer>,
): void {
  const [, name = ''] = /:(\w+)/.exec(url) ?? []
  const { permission, isVersioned } = CASES[kind]
  const done = isVersioned ? answers(200, Success(answer), 404, 412) : answers(200, Success(answer), 404)
  const response: Record<number, TSchema> = { ...done, 202: Success(DecisionView) }
  registerRoute(app, `POST ${url}`, {
    access: permission,
    ...about,
    params: Type.Object({ [name]: Id }),
    querystring: UndoQuery,
    body,
    response,
    handler: async (request, reply) => {
      const expected = isVersioned ? expectedVersions(request) : undefined
      const { [name]: recordId } = request.params as Record<string, number>
      const decision = { ...given(request.body as Static<Input>, request), recordId, expected }
      const filter: Given<Kind> = { kind, decision: decision as never, sessions: deps.sessions }
      if (request.query.undoable !== true)
        return write(deps, { request, reply }, { message, view }, (work) => decideCase(work, filter))
      const held = { status: 202, message: 'Decision stored', view: toDecision, current: view } as const
      return write(deps, { request, reply }, held, (work) => holdDecision(work, filter))
    },
  })
}

function toDecision(decision: Decision): Static<typeof DecisionView> {
  return { ...pickFields(DecisionView, decision), id: decision.decision_id }
}
