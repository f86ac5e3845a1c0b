import { Type, type Static } from 'typebox'
import type { AdministrationDeps } from '../deps.ts'
import { answers, Id, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { errors } from '../../platform/shared/errors.ts'
import { listEntriesOf } from './audit-log.queries.ts'
import { recordAt, type FieldOverTime } from './record.ts'

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

export function registerAuditRecordRoutes(app: App, deps: AdministrationDeps): void {
  app.get('/api/admin/v1/audit-log/record', {
    config: { access: 'audit' },
    schema: {
      operationId: 'getAuditedRecord',
      summary: 'A record at a past time and its differences to now, as far as the audit log knows',
      description: 'The log knows only fields that an audited call has set or changed.',
      querystring: Type.Object({
        entity: Type.String({ minLength: 1, maxLength: 64, description: 'The kind of record, such as `user`.' }),
        entity_id: Id,
        at: Type.String({ format: 'date-time' }),
      }),
      response: answers(200, Success(RecordOverTime), 404),
    },
    handler: async ({ query }) => {
      const { entity, entity_id: entityId, at } = query
      const entries = await listEntriesOf(deps.db, { entity, entityId }, ENTRIES_MAX)
      const [first, last] = [entries[0], entries.at(-1)]
      if (first === undefined || last === undefined) throw errors.notFound('A change of this record')
      const moment = new Date(at)
      const span = { first_at: first.at.toISOString(), last_at: last.at.toISOString() }
      const found = { entity, entity_id: entityId, at: moment.toISOString(), entries: entries.length, ...span }
      return ok({ ...found, fields: recordAt(entries, moment).map(toField) }, 'Record over time')
    },
  })
}

function toField({ name, was, is, isChanged }: FieldOverTime): Static<typeof Field> {
  return { name, was, is, is_changed: isChanged }
}
