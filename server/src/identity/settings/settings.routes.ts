import { Type, type Static, type TBoolean } from 'typebox'
import type { IdentityDeps } from '../deps.ts'
import { answers, Body, Component, Nullable, ok, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { EVENT_KINDS, type EventKind } from '../../platform/events/event-kinds.ts'
import { changePreferences, EXCEPTABLE, readPreferences, type Preferences } from './preferences.ts'
import { isNotificationOn } from './settings.queries.ts'

const Settings = Component('Settings', { notification: Type.Enum(['0', '1']) })

const TimeOfDay = Type.String({
  maxLength: 5,
  pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
  'x-fault': 'must be a time of day, as HH:MM',
  description: 'HH:MM in your time zone.',
})
const Exceptions = Type.Array(Type.Enum(EXCEPTABLE), {
  maxItems: EXCEPTABLE.length,
  description: 'Kinds of events that ignore quiet hours.',
})
const EVENTS = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, Type.Boolean()])) as Record<EventKind, TBoolean>
const QUIET = 'Pushes wait until the quiet hours end. An end before the start means the next day. Null: no quiet hours.'

const MySettings = Component('PushSettings', {
  notification: Type.Boolean({ description: 'The switch for all pushes that are not promotional.' }),
  events: Type.Object(EVENTS, {
    description: 'Which kinds of events send a push; `system` is for messages of the service itself.',
  }),
  sender_names: Type.Boolean({ description: 'Whether pushes about matches and messages say whom they come from.' }),
  quiet_hours: Nullable(Type.Object({ start: TimeOfDay, end: TimeOfDay, except: Exceptions })),
  time_zone: Type.String({ description: 'IANA name; change it with your profile.' }),
})
const MySettingsChange = Body({
  notification: Type.Optional(Type.Boolean()),
  events: Type.Optional(Type.Partial(Type.Object(EVENTS), { additionalProperties: false })),
  sender_names: Type.Optional(Type.Boolean()),
  quiet_hours: Type.Optional(
    Nullable(
      Type.Object(
        { start: TimeOfDay, end: TimeOfDay, except: Type.Optional(Exceptions) },
        { additionalProperties: false, description: QUIET },
      ),
    ),
  ),
})

export function registerSettingsRoutes(app: App, deps: IdentityDeps): void {
  registerRoute(app, 'GET /api/user/settings', {
    access: 'user',
    operationId: 'getMySettings',
    summary: 'Your settings',
    response: answers(200, Success(Settings)),
    handler: async (request) =>
      ok(toSettings({ notification: await isNotificationOn(deps.db, request.caller.userId) }), 'Settings'),
  })

  registerChange(app, deps, 'PUT /api/user/settings', {
    access: 'user',
    operationId: 'setMySettings',
    summary: 'Change your settings',
    body: Body({ notification: Type.Enum(['0', '1']) }),
    response: answers(200, Success(Settings)),
    message: 'Settings changed',
    view: toSettings,
    rule: (work, { body }) =>
      changePreferences(work, { wakePushes: deps.wakePushes, change: { notification: body.notification === '1' } }),
  })

  registerRoute(app, 'GET /api/v1/me/settings', {
    access: 'user',
    operationId: 'getMyPushSettings',
    summary: 'Your push settings',
    response: answers(200, Success(MySettings)),
    handler: async (request) => ok(await readPreferences(deps.db, request.caller.userId), 'Settings'),
  })

  registerChange(app, deps, 'PATCH /api/v1/me/settings', {
    access: 'user',
    operationId: 'updateMyPushSettings',
    summary: 'Change your push settings: the kinds of events and the quiet hours. Other fields stay as they are',
    body: MySettingsChange,
    response: answers(200, Success(MySettings)),
    message: 'Settings changed',
    view: (preferences: Preferences) => preferences,
    rule: (work, { body }) => changePreferences(work, { wakePushes: deps.wakePushes, change: body }),
  })
}

/** Spec, user setting: `1` means enabled. */
function toSettings({ notification }: Pick<Preferences, 'notification'>): Static<typeof Settings> {
  return { notification: notification ? '1' : '0' }
}
