import { Type, type TOptional } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, Id, isAsked, Success, toAsked, WAITS } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { errors } from '../../platform/shared/errors.ts'
import { LANGUAGES, type Language } from '../../platform/shared/languages.ts'
import { sendSystem, type SystemRecord, type SystemSend } from '../messages/system.ts'
import { StartedSystemOrAsked, Text, Title, toStartedSystem } from './sending.views.ts'

const Words = Type.Object({ title: Title, text: Text }, { additionalProperties: false })
type WordsOf = Record<Language, TOptional<typeof Words>>
const SystemBody = Body({
  user_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 5_000 })),
  all: Type.Optional(Type.Literal(true, { description: 'Send to everyone, instead of `user_ids`.' })),
  title: Title,
  text: Text,
  texts: Type.Optional(
    Type.Object(Object.fromEntries(LANGUAGES.map((language) => [language, Type.Optional(Words)])) as WordsOf, {
      additionalProperties: false,
      description: 'Texts for users of a language; all others get `title` and `text`. Only with `user_ids`.',
    }),
  ),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form; `link` is a deep link.' })),
})

export function registerSystemRoutes(app: App, deps: Deps): void {
  app.post('/api/admin/send-system-notification', {
    config: { access: 'campaigns', approval: 'send' },
    schema: {
      tags: ['Sending'],
      operationId: 'sendSystemNotification',
      summary: 'Send a system notification, not promotional, to named users or to everyone',
      body: SystemBody,
      response: answers(202, Success(StartedSystemOrAsked), 400, 401, 403, 409, 413, 415, 422),
    },
    handler: async (request, reply) => {
      const { user_ids, all, texts = {}, title, text, data } = request.body
      const { userId } = principalOf(request)
      const content = { title, text, data: { ...data, event: 'system' } }
      const send: SystemSend = { to: addresseesOf(user_ids, all), content, texts, senderId: userId }
      const charge =
        'all' in send.to
          ? ({ name: 'bulk-send', subject: String(userId) } as const)
          : ({ name: 'send-recipients', subject: String(userId), amount: send.to.userIds.length } as const)
      return deps.rateLimits.spend([charge], () =>
        write(deps, { request, reply }, ACCEPTED, ({ tx, by: caller }) => sendSystem(deps, tx, caller, send)),
      )
    },
  })
}

const ACCEPTED = {
  status: 202,
  message: (record: SystemRecord) => (isAsked(record) ? WAITS : 'Notification accepted'),
  view: (record: SystemRecord) => (isAsked(record) ? toAsked(record) : toStartedSystem(record)),
} as const

function addresseesOf(userIds: number[] | undefined, all: true | undefined): SystemSend['to'] {
  if ((userIds === undefined) === (all === undefined))
    throw errors.validation({ user_ids: ['must be given, or `all`, but not both'] })
  return userIds === undefined ? { all: true } : { userIds: [...new Set(userIds)] }
}
