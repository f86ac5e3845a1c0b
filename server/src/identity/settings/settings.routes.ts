import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { listSettings, upsertSetting } from './settings.queries.ts'

const Settings = Type.Object({ notification: Type.Enum(['0', '1']) })

/** A user's own settings; `notification` is their preference: `1` means enabled, `0` disabled (spec: user setting). */
export function registerSettingsRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/api/user/settings',
    {
      config: { access: 'user' },
      schema: { tags: ['Settings'], summary: 'Your settings', response: answers(200, Success(Settings), 401) },
    },
    async (request) => ok(await settingsOf(principalOf(request).userId), 'Settings'),
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
    async (request) => {
      const { userId } = principalOf(request)
      await upsertSetting(db, userId, 'notification', request.body.notification, fromNow(clock))
      return ok(await settingsOf(userId), 'Settings changed')
    },
  )

  async function settingsOf(userId: number): Promise<{ notification: '0' | '1' }> {
    const { notification } = await listSettings(db, userId)
    return { notification: notification === '1' ? '1' : '0' }
  }
}
