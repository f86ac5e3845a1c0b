import { Type } from 'typebox'
import { answers, Nullable, ok, Success } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import type { DisplayedSetting } from '../../platform/config/shown.ts'

const Setting = Type.Object({
  name: Type.String(),
  doc: Type.String({ description: 'What the setting is for.' }),
  value: Nullable(Type.String({ description: 'Null for a setting that may contain a secret.' })),
  fallback: Type.String({ description: 'The default value.' }),
  is_changed: Type.Boolean({ description: 'Whether the value differs from the default.' }),
})

export function registerServiceSettingsRoutes(app: App, settings: DisplayedSetting[]): void {
  registerRoute(app, 'GET /api/admin/v1/service-settings', {
    access: 'audit',
    operationId: 'listServiceSettings',
    summary: 'The settings of the service in the process that answers; secrets are hidden',
    response: answers(200, Success(Type.Array(Setting))),
    handler: () => ok(settings, 'Settings of the service'),
  })
}
