import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Component, pickFields, Id, Nullable, Timestamp, ok, Success } from '../../platform/http/envelope.ts'
import { rangeIn, readRange, SearchedPage, readSearch, wordSearchIn, sortedBy } from '../../platform/lists/listing.ts'
import { answerPage, PageQuery, reached, type PageBounds } from '../../platform/lists/pagination.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { peopleMatching } from '../users/people.ts'
import { auditLog, type AuditRow, listEntityEntries } from './audit-log.queries.ts'
import { errors } from '../../platform/shared/errors.ts'
import { recordAt } from './record.ts'

const FreeObject = Type.Object({}, { additionalProperties: true })
const Word = Type.String({ minLength: 1, maxLength: 64 })

const Entry = Component('AuditEntry', {
  id: Type.Integer(),
  at: Timestamp,
  actor: Nullable(
    Type.Object({ user_id: Type.Integer(), name: Nullable(Type.String()), role: Nullable(Type.String()) }),
  ),
  action: Type.String(),
  entity: Nullable(Type.String()),
  entity_id: Nullable(Type.Integer()),
  before: Nullable(FreeObject),
  after: Nullable(FreeObject),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
  times: Type.Integer({
    description: 'The number of calls that the entry stands for; more than 1 if equal calls were counted together.',
  }),
  hash: Type.String({ description: 'Hash of the entry and the hash of the entry before it.' }),
})

export function registerAuditRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/audit-log', {
    access: 'audit',
    operationId: 'listAuditLog',
    summary: 'The audit log, newest first: administrative writes, logins, denied calls, exports',
    description: 'A search that finds more than 1,000 people gets 422.',
    querystring: Type.Object({
      ...PageQuery,
      ...rangeIn('Entries made'),
      ...sortedBy(['id', 'at'], 'desc'),
      search: wordSearchIn('username, email, name and digits of the phone number of who did it, accents aside'),
      actor_id: Type.Optional({ ...Id, description: 'Who did it.' }),
      action: Type.Optional({ ...Word, description: 'The exact action, such as `login_failed` or `user.update`.' }),
      entity: Type.Optional({
        ...Word,
        description: 'The kind of record, such as `user`; for a denied call the path of the route.',
      }),
      entity_id: Type.Optional({ ...Id, description: 'Id of the record.' }),
      request_id: Type.Optional({ ...Word, description: 'The `X-Request-Id` of the call.' }),
    }),
    response: answers(200, SearchedPage(Entry)),
    handler: async (request) => {
      const { query } = request
      const { from, to } = readRange(query)
      const { action, entity, actor_id: actorId, entity_id: entityId, request_id: requestId } = query
      const people = await peopleMatching(deps, request.caller.role, readSearch(query))
      const filter = { actorId, peopleIds: people?.ids, action, entity, entityId, requestId, from, to }
      const order = { by: query.sort_by ?? 'id', direction: query.sort_order ?? 'desc' } as const
      const find = (page: PageBounds) => auditLog.page(deps, { filter, page: { ...page, ...order } })
      const found = await answerPage(query, { message: 'Audit log', view: toEntry, find })
      return { ...found, ...reached(people?.reach) }
    },
  })
}

function toEntry(row: AuditRow): Static<typeof Entry> {
  return {
    ...pickFields(Entry, row),
    id: row.audit_id,
    actor: row.actor_id === null ? null : { user_id: row.actor_id, name: row.actor_name, role: row.actor_role },
    before: (row.change?.before as Record<string, unknown> | undefined) ?? null,
    after: (row.change?.after as Record<string, unknown> | undefined) ?? null,
    ip: row.origin?.ip ?? null,
    user_agent: row.origin?.user_agent ?? null,
    request_id: row.origin?.request_id ?? null,
    times: row.times ?? 1,
  }
}

const ENTRIES_MAX = 500

const Field = Type.Object({
  name: Type.String(),
  was: Type.Optional(Type.Unknown({ description: 'Absent: the log does not know, or the record did not exist.' })),
  is: Type.Optional(
    Type.Unknown({ description: 'The record after the newest entry; absent if the record no longer exists.' }),
  ),
  is_changed: Type.Boolean(),
})

const RecordOverTime = Type.Object({
  entity: Type.String(),
  entity_id: Type.Integer(),
  at: Timestamp,
  entries: Type.Integer({ description: `The number of entries read, at most the newest ${ENTRIES_MAX}.` }),
  first_at: Timestamp,
  last_at: Timestamp,
  fields: Type.Array(Field),
})

export function registerAuditRecordRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/audit-log/record', {
    access: 'audit',
    operationId: 'getAuditedRecord',
    summary: 'A record at a past time and its differences to now, as far as the audit log knows',
    description: 'The log knows only fields that an audited call has set or changed.',
    querystring: Type.Object({
      entity: Type.String({ minLength: 1, maxLength: 64, description: 'The kind of record, such as `user`.' }),
      entity_id: Id,
      at: Type.String({ format: 'date-time' }),
    }),
    response: answers(200, Success(RecordOverTime), 404),
    handler: async ({ query }) => {
      const { entity, entity_id: entityId, at } = query
      const moment = new Date(at)
      // A leap second is in the format, and in no clock of ours.
      if (Number.isNaN(moment.getTime())) throw errors.validation({ at: ['must be a date and time that exists'] })
      const entries = await listEntityEntries(deps.db, { entity, entityId }, ENTRIES_MAX)
      const [first, last] = [entries[0], entries.at(-1)]
      if (first === undefined || last === undefined) throw errors.notFound('A change of this record')
      const span = { first_at: first.at.toISOString(), last_at: last.at.toISOString() }
      const found = { entity, entity_id: entityId, at: moment.toISOString(), entries: entries.length, ...span }
      const fields = recordAt(entries, moment).map(({ isChanged: is_changed, ...field }) => ({ ...field, is_changed }))
      return ok({ ...found, fields }, 'Record over time')
    },
  })
}
