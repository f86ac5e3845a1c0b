import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import {
  answers,
  Body,
  Component,
  EmptyBody,
  pickFields,
  Id,
  Nullable,
  ok,
  orPending,
  OrPending,
  Page,
  Success,
  Timestamp,
} from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { PageQuery, readPage, paginated } from '../../platform/lists/pagination.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { BULK_ACTIONS, USER_STATUSES } from '../../platform/shared/words.ts'
import { UserFilterFields, readUserFilter } from '../users/users.views.ts'
import { listItems, type BulkRow } from './bulk.queries.ts'
import {
  bulkMustBeApproved,
  prepareBulk,
  startBulkOrAsk,
  readState,
  sumCounts,
  undoBulk,
  type BulkState,
} from './bulk.ts'

const OUTCOMES = ['waiting', 'changed', 'skipped'] as const

const NewBulk = Body({
  action: Type.Enum(BULK_ACTIONS),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK, description: 'Stored with each suspended account.' }),
  ),
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1_000, uniqueItems: true })),
  filter: Type.Optional(
    Type.Object(UserFilterFields, {
      additionalProperties: false,
      description: 'All accounts that the list of users returns for these filters.',
    }),
  ),
})

const Bulk = Component('BulkChange', {
  id: Type.Integer(),
  action: Type.Enum([...BULK_ACTIONS, 'undo']),
  reason: Nullable(Type.String()),
  status: Type.Enum(['prepared', 'running', 'done']),
  selected: Type.Integer(),
  waiting: Type.Integer({ description: 'The number of accounts without a result.' }),
  changed: Type.Integer(),
  skipped: Type.Record(Type.String(), Type.Integer(), {
    description:
      'How many accounts are not changed, by reason: OWN_ACCOUNT, NO_RIGHT, DELETED, UNCHANGED (they have this state already), CHANGED_SINCE (changed after they were selected), SUSPENSION_OVER, STALLED (the change was ended because it made no progress), or the code of an error.',
  }),
  undoes: Nullable(Type.Integer({ description: 'The change that this one undoes.' })),
  requested_by: Nullable(Type.Integer()),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  expires_at: Timestamp,
  needs_approval: Type.Boolean({ description: 'A second administrator must approve it.' }),
  approval_id: Nullable(Type.Integer({ description: 'The request by which it waits for a second administrator.' })),
})

const Item = Component('BulkChangeItem', {
  user: Type.Object({ id: Type.Integer(), name: Type.String(), username: Type.String() }),
  from: Type.Object({ status: Type.Enum(USER_STATUSES), deleted: Type.Boolean() }),
  to: Type.Object({ status: Type.Enum(USER_STATUSES), deleted: Type.Boolean() }),
  outcome: Type.Enum(OUTCOMES),
  code: Nullable(Type.String()),
})

export function registerBulkRoutes(app: App, deps: PushDeps): void {
  const toBulk = (state: BulkState) => ({
    ...toView(state),
    needs_approval: bulkMustBeApproved(deps.config, state.bulk),
  })
  registerActions(app, deps, toBulk)

  registerRoute(app, 'GET /api/admin/v1/users-bulk/:id', {
    access: 'users',
    operationId: 'getBulkChange',
    summary: 'The progress of a bulk change of accounts',
    response: answers(200, Success(Bulk), 404),
    handler: async (request) => ok(toBulk(await readState(deps.db, request.params.id, fromNow(deps.clock))), 'Change'),
  })

  registerRoute(app, 'GET /api/admin/v1/users-bulk/:id/users', {
    access: 'users',
    operationId: 'listBulkChangeUsers',
    summary: 'The accounts of a bulk change, and the result of each',
    querystring: Type.Object({ ...PageQuery, outcome: Type.Optional(Type.Enum(OUTCOMES)) }),
    response: answers(200, Page(Item), 404),
    handler: async ({ params, query }) => {
      const page = readPage(query)
      const { counts } = await readState(deps.db, params.id, fromNow(deps.clock))
      const counted = counts.filter(
        ({ outcome }) => query.outcome === undefined || (outcome ?? 'waiting') === query.outcome,
      )
      const rows = await listItems(deps.db, params.id, { ...page, outcome: query.outcome })
      return paginated(rows.map(toItem), sumCounts(counted), page, 'Accounts')
    },
  })
}

function registerActions(app: App, deps: PushDeps, toBulk: (state: BulkState) => Static<typeof Bulk>): void {
  registerChange(app, deps, 'POST /api/admin/v1/users-bulk', {
    access: 'users',
    operationId: 'prepareBulkChange',
    summary: 'Prepare a bulk change of accounts; nothing is changed yet',
    description:
      'Fixes the selected accounts, given by `ids` or `filter`, and lists those that will not be changed, with the reason. At most 100,000 accounts. Start it within an hour.',
    body: NewBulk,
    response: answers(201, Success(Bulk)),
    message: 'Change prepared',
    view: toBulk,
    rule: (work, { body }) => {
      const { action, reason = null } = body
      return prepareBulk(work, { action, reason, who: readSelection(body) })
    },
  })

  registerChange(app, deps, 'POST /api/admin/v1/users-bulk/:id/start', {
    access: 'users',
    approval: 'bulk',
    operationId: 'startBulkChange',
    summary: 'Start a bulk change of accounts that you have prepared',
    body: EmptyBody,
    response: answers(202, Success(OrPending(Bulk)), 404),
    ...orPending({ status: 202, message: 'Change started', view: toBulk }),
    rule: (work, { params }) => startBulkOrAsk(work, params.id),
  })

  registerChange(app, deps, 'POST /api/admin/v1/users-bulk/:id/undo', {
    access: 'users',
    approval: 'bulk',
    operationId: 'undoBulkChange',
    summary: 'Undo a finished bulk change of accounts; possible once',
    description:
      'Each changed account gets its former state, unless its state was changed again since. Swaps that were closed stay closed. Possible for 7 days. Not of an activation or restoration where a second administrator must approve suspensions and deletions.',
    body: EmptyBody,
    response: answers(202, Success(Bulk), 404),
    message: 'Undo started',
    view: toBulk,
    rule: (work, { params }) => undoBulk(work, params.id),
  })
}

function readSelection({ ids, filter }: Static<typeof NewBulk>) {
  if ((ids === undefined) === (filter === undefined))
    throw errors.validation({ ids: ['or filter must be given, but not both'] })
  return ids === undefined ? { filter: readUserFilter(filter ?? {}) } : { ids }
}

function toView({ bulk, counts, approvalId }: BulkState): Omit<Static<typeof Bulk>, 'needs_approval'> {
  const skipped = counts.filter(({ outcome }) => outcome === 'skipped')
  return {
    ...pickFields(Bulk, bulk),
    id: bulk.bulk_id,
    approval_id: approvalId,
    selected: sumCounts(counts),
    waiting: sumCounts(counts.filter(({ outcome }) => outcome === null)),
    changed: sumCounts(counts.filter(({ outcome }) => outcome === 'changed')),
    skipped: Object.fromEntries(skipped.map(({ code, n }) => [code ?? 'UNKNOWN', n])),
  }
}

function toItem({ user_id, name, username, outcome, code, ...item }: BulkRow): Static<typeof Item> {
  return {
    user: { id: user_id, name, username },
    from: { status: item.from_status, deleted: item.from_deleted },
    to: { status: item.to_status, deleted: item.to_deleted },
    outcome: outcome ?? 'waiting',
    code,
  }
}
