import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { Component, Nullable, Success, Timestamp } from '../../platform/http/envelope.ts'
import { write, type Answer } from '../../platform/http/write.ts'
import type { DecisionKind } from '../../platform/tables/office-tables.ts'
import { holdDecision } from './decisions.ts'
import type { Decision } from './decisions.queries.ts'

export const UndoQuery = Type.Object({
  undoable: Type.Optional(
    Type.Boolean({
      description:
        'Store the decision now, and carry it out and tell people after five seconds. Until then `POST /api/admin/v1/decisions/{id}/undo` undoes it. The answer is 202 with the decision.',
    }),
  ),
})

export const DecisionView = Component('DeskDecision', {
  id: Type.Integer(),
  kind: Type.Enum(['verification', 'reported_product', 'report', 'user_report', 'dispute']),
  record_id: Type.Integer({ description: 'Of the product, report or swap.' }),
  verdict: Type.String(),
  status: Type.Enum(['waiting', 'done', 'undone', 'failed']),
  error: Nullable(Type.String({ description: 'Why a decision that failed changed nothing.' })),
  decided_at: Timestamp,
  due_at: Timestamp,
})

export function toDecision(decision: Decision): Static<typeof DecisionView> {
  const { decision_id: id, kind, record_id, verdict, status, error, decided_at, due_at } = decision
  return { id, kind, record_id, verdict, status, error, decided_at, due_at }
}

/** The answers of a call that decides, now or later. */
export const HELD = { 202: Success(DecisionView) }

type Deciding<Request extends object, R> = {
  kind: DecisionKind
  recordId: number
  verdict: string
  request: Request
  rule: (deps: Deps, tx: Tx, actor: Actor, request: Request) => Promise<R>
}

/** Works as `write`. For `undoable` the rule is only tried, so that what it refuses is refused at once, and the
 * decision is held (ADR 22). */
export async function decide<Request extends object, R, V>(
  deps: Deps,
  http: { request: FastifyRequest; reply: FastifyReply },
  answer: Answer<R, V>,
  { rule, ...decision }: Deciding<Request, R>,
) {
  if ((http.request.query as Static<typeof UndoQuery>).undoable !== true)
    return write(deps, http, answer, ({ tx, by: actor }) => rule(deps, tx, actor, decision.request))
  const held = { status: 202, message: 'Decision stored', view: toDecision, current: answer.view } as const
  return write(deps, http, held, ({ tx, by: actor }) =>
    holdDecision(deps, tx, actor, { ...decision, trial: () => rule(deps, tx, actor, decision.request) }),
  )
}
