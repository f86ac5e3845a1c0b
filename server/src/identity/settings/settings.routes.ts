import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { changeSettings, settingsOf, type Settings as SettingsRecord } from './settings.ts'

const Settings = Type.Object({ notification: Type.Enum(['0', '1']) })

export function registerSettingsRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/user/settings',
    {
      config: { access: 'user' },
      schema: { tags: ['Settings'], summary: 'Your settings', response: answers(200, Success(Settings), 401) },
    },
    async (request) => ok(await settingsOf(deps.db, principalOf(request).userId), 'Settings'),
  )

  app.put(
    '/api/user/settings',
    {
      config: { access: 'user' },
      schema: {
        tags: ['Settings'],
        summary: 'Change your settings',
        body: Body({ notification: Type.Enum(['0', '1']) }),
        response: answers(200, Success(Settings), 400, 401, 413, 415, 422),
      },
    },
    async (request, reply) =>
      write(deps, { request, reply }, { message: 'Settings changed', view: toSettings }, (tx) =>
        changeSettings(deps, tx, principalOf(request).userId, request.body),
      ),
  )
}

function toSettings({ notification }: SettingsRecord) {
  return { notification }
}
