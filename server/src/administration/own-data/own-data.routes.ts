import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { readActor } from '../../platform/http/actor.ts'
import { answers, Body } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { CurrentPassword } from '../../platform/people/account-fields.ts'
import { toSite } from '../../platform/shared/networks.ts'
import { createOwnDataFiles } from './own-data.ts'

const FILE = {
  description: 'A JSON object as an attachment, with `made_at` and a list for each kind of data.',
  content: { 'application/json': { schema: Type.Any({ examples: [{ made_at: '2026-11-01T12:00:00.000Z' }] }) } },
}

export function registerOwnDataRoutes(app: App, deps: PushDeps): void {
  const files = createOwnDataFiles(deps)
  app.addHook('preClose', () => files.close())

  registerRoute(app, 'POST /api/v1/account/export', {
    access: 'user',
    limits: ['account-export'],
    effect: 'export',
    notIdempotent: 'It answers with a stream, and changes nothing.',
    operationId: 'exportOwnData',
    summary: 'Download everything that the service stores about you, as a file; requires your password',
    body: Body({ current_password: CurrentPassword }),
    response: answers(200, FILE as never),
    handler: async (request, reply) => {
      const { userId } = request.caller
      const given = { userId, password: request.body.current_password, site: toSite(request.ip) }
      const file = await files.open(given, readActor(request))
      return reply
        .type('application/json; charset=utf-8')
        .header('Content-Disposition', 'attachment; filename="swapbell-my-data.json"')
        .send(file)
    },
  })
}
