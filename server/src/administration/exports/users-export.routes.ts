import type { FastifyReply } from 'fastify'
import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { readActor } from '../../platform/http/actor.ts'
import { answers, Body, EmptyBody, Nullable, ok, Page, Success } from '../../platform/http/envelope.ts'
import { CSV_CONTENT } from '../../platform/http/csv.ts'
import { Words } from '../../platform/http/text.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { answerPage, PageQuery } from '../../platform/lists/pagination.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { EXPORT_FORMATS } from '../../platform/shared/words.ts'
import { MEDIA_TYPE } from './encode.ts'
import { createExports, requireExport, openByLink, requestExport, stopExport, type ExportRequest } from './exports.ts'
import { listExports } from './exports.queries.ts'
import { isMaskedFor } from './masking.ts'
import { Export, ExportItem, ExportWithLink, toExport, toExportItem, toExportWithLink } from './exports.views.ts'
import { EXPORT_COLUMNS } from './users-export.queries.ts'
import { UserFilterFields, UserFilterQuery, readUserFilter } from '../users/users.views.ts'

const Bom = Type.Optional(
  Type.Boolean({ description: 'Begin a CSV with a byte order mark, for spreadsheets that need it.' }),
)

const ExportQuery = Type.Object({
  ...UserFilterQuery,
  format: Type.Optional(Type.Enum(EXPORT_FORMATS)),
  columns: Type.Optional(
    Words(EXPORT_COLUMNS, { maxLength: 400, description: 'The columns of the file, in this order; each once.' }),
  ),
  bom: Bom,
})

const ExportBody = Nullable(
  Body({
    ...UserFilterFields,
    format: Type.Optional(Type.Enum(EXPORT_FORMATS)),
    columns: Type.Optional(
      Type.Array(Type.Enum(EXPORT_COLUMNS), {
        minItems: 1,
        maxItems: EXPORT_COLUMNS.length,
        description: 'In this order.',
      }),
    ),
    bom: Bom,
  }),
)

const FILE = {
  description:
    'The file, as an attachment. `X-Total-Rows` is the number of users in it. A CSV has `true` and `false`, and times in ISO 8601 (UTC); a workbook has booleans and dates in UTC. E-mail addresses and phone numbers are masked, unless the role has the right `users.contact`. If they are masked, `X-Contact-Masked` is `true`, and the name of the file says so.',
  content: {
    ...Object.fromEntries(Object.values(MEDIA_TYPE).map((type) => [type.split(';')[0], { schema: Type.Any() }])),
    ...CSV_CONTENT,
  },
}

export function registerUsersExportRoutes(app: App, deps: PushDeps): void {
  registerAtOnce(app, deps)
  registerInBackground(app, deps)

  registerRoute(app, 'GET /api/admin/v1/users-exports', {
    access: 'users',
    operationId: 'listUsersExports',
    summary: 'The exports of the last 24 hours, newest first',
    querystring: Type.Object({ ...PageQuery }),
    response: answers(200, Page(ExportItem)),
    handler: ({ query }) =>
      answerPage(query, {
        message: 'Exports',
        view: toExportItem,
        find: (page) => listExports(deps.db, fromNow(deps.clock), page),
      }),
  })

  registerChange(app, deps, 'POST /api/admin/v1/users-export/:id/cancel', {
    access: 'users',
    operationId: 'cancelUsersExport',
    summary: 'Cancel a waiting or running export and delete its file',
    body: EmptyBody,
    response: answers(200, Success(Export), 404),
    message: 'Export cancelled',
    view: toExport,
    rule: (work, { params }) => stopExport(work, params.id),
  })
}

function registerAtOnce(app: App, deps: PushDeps): void {
  const exports = createExports(deps)
  app.addHook('preClose', () => exports.close())

  registerRoute(app, 'GET /api/admin/v1/users-export', {
    access: 'users',
    limits: ['export'],
    effect: 'export',
    operationId: 'exportUsers',
    summary: 'Export the users that match the filters of the list as a file, streamed from one snapshot',
    querystring: ExportQuery,
    response: answers(200, FILE as never),
    handler: async (request, reply) => {
      const exported = readExportRequest(request.query)
      const { rows, file } = await exports.open(exported, readActor(request))
      const masked = isMaskedFor(request.caller.role)
      return asFile(reply, { format: exported.format, masked }, deps).header('X-Total-Rows', rows).send(file)
    },
  })
}

function registerInBackground(app: App, deps: PushDeps): void {
  registerChange(app, deps, 'POST /api/admin/v1/users-export', {
    access: 'users',
    limits: ['export'],
    operationId: 'startUsersExport',
    summary: 'Start the same export in the background; read its status with the id in the answer',
    description: 'Give the parameters in the body or in the address, not in both.',
    querystring: ExportQuery,
    body: ExportBody,
    response: answers(202, Success(Type.Object({ id: Type.Integer() }))),
    message: 'Export accepted',
    view: (id: number) => ({ id }),
    rule: (work, request) => requestExport(work, readExportRequest(bodyOrQuery(request))),
  })

  registerRoute(app, 'GET /api/admin/v1/users-export/:id', {
    access: 'users',
    operationId: 'getUsersExport',
    summary: 'The status of an export; once it is done, a link to its file that works once within 15 minutes',
    response: answers(200, Success(ExportWithLink), 404),
    handler: async (request) => {
      const stored = await requireExport(deps.db, request.params.id, fromNow(deps.clock))
      return ok(toExportWithLink(deps, stored, request.caller), 'Export')
    },
  })

  registerRoute(app, 'GET /api/admin/v1/users-export/:id/file', {
    access: 'public',
    effect: 'export',
    operationId: 'downloadUsersExport',
    summary: 'The file of an export, by the link in its status; no token is needed',
    querystring: Type.Object({ link: Type.String({ minLength: 1, maxLength: 300 }) }),
    response: answers(200, FILE as never, 404),
    handler: async (request, reply) => {
      const input = { exportId: request.params.id, link: request.query.link }
      const { stored, file } = await openByLink(deps, readActor(request), input)
      return asFile(reply, stored, deps)
        .header('X-Total-Rows', stored.rows_expected)
        .header('Content-Length', stored.bytes)
        .header('Cache-Control', 'no-store')
        .send(file)
    },
  })
}

type Input = Static<typeof ExportQuery> | NonNullable<Static<typeof ExportBody>>

function bodyOrQuery({ body, query }: { body: Static<typeof ExportBody>; query: Static<typeof ExportQuery> }): Input {
  if (Object.keys(body ?? {}).length === 0) return query
  const twice = Object.keys(query).map((name) => [name, ['belongs into the body with the other fields']])
  if (twice.length > 0) throw errors.validation(Object.fromEntries(twice) as Record<string, string[]>)
  return body ?? query
}

function readExportRequest(input: Input): ExportRequest {
  const { format = 'csv', bom: hasBom = false } = input
  if (hasBom && format !== 'csv') throw errors.validation({ bom: ['is allowed only with the format csv'] })
  return { format, columns: readColumns(input.columns), hasBom, filter: readUserFilter(input) }
}

function readColumns(input: Input['columns']): ExportRequest['columns'] {
  if (input === undefined) return [...EXPORT_COLUMNS]
  const named = typeof input === 'string' ? input.split(',').map((name) => name.trim()) : input
  const columns = EXPORT_COLUMNS.filter((name) => named.includes(name))
  if (columns.length < named.length) throw errors.validation({ columns: ['must not repeat a column'] })
  return named as ExportRequest['columns']
}

function asFile(
  reply: FastifyReply,
  { format, masked }: { format: ExportRequest['format']; masked: boolean | null },
  { clock }: PushDeps,
): FastifyReply {
  const name = masked === true ? 'users-masked' : 'users'
  const day = fromNow(clock).toISOString().slice(0, 10)
  return reply
    .type(MEDIA_TYPE[format])
    .header('Content-Disposition', `attachment; filename="${name}-${day}.${format}"`)
    .header('X-Content-Type-Options', 'nosniff')
    .header('X-Contact-Masked', String(masked === true))
}
