import { Type } from 'typebox'
import type { AdministrationDeps } from '../deps.ts'
import { answers, EmptyBody, Id, Page, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { PageQuery, pageOf, paginated } from '../../platform/lists/pagination.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { stopExport } from './exports.ts'
import { listExports } from './exports.queries.ts'
import { Export, ExportItem, toExport, toExportItem } from './exports.views.ts'

export function registerExportsRoutes(app: App, deps: AdministrationDeps): void {
  app.get('/api/admin/v1/users-exports', {
    config: { access: 'users' },
    schema: {
      operationId: 'listUsersExports',
      summary: 'The exports of the last 24 hours, newest first',
      querystring: Type.Object({ ...PageQuery }),
      response: answers(200, Page(ExportItem)),
    },
    handler: async ({ query }) => {
      const page = pageOf(query)
      const { rows, total } = await listExports(deps.db, fromNow(deps.clock), page)
      return paginated(rows.map(toExportItem), total, page, 'Exports')
    },
  })

  app.post('/api/admin/v1/users-export/:id/cancel', {
    config: { access: 'users' },
    schema: {
      operationId: 'cancelUsersExport',
      summary: 'Cancel a waiting or running export and delete its file',
      params: Type.Object({ id: Id }),
      body: EmptyBody,
      response: answers(200, Success(Export), 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Export cancelled', view: toExport }, ({ tx, by: caller }) =>
        stopExport(deps, tx, caller, request.params.id),
      ),
  })
}
