import { Type, type Static } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, Id, orPending, Success } from '../../platform/http/envelope.ts'
import type { Charge } from '../../platform/limits/rate-limit.ts'
import { type App, registerChange } from '../../platform/http/routes.ts'
import { errors } from '../../platform/shared/errors.ts'
import { sendOrAsk, type StaffSend } from '../messages/staff-send.ts'
import { byLanguage } from '../messages/stored-send.schema.ts'
import { checkContent } from '../messages/content.ts'
import { StartedSystemOrPending, Text, Title, toStartedSystem } from './sending.views.ts'

const Words = Type.Object({ title: Title, text: Text }, { additionalProperties: false })
const SystemBody = Body({
  user_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 5_000 })),
  all: Type.Optional(Type.Literal(true, { description: 'Send to everyone, instead of `user_ids`.' })),
  title: Title,
  text: Text,
  texts: byLanguage(Words, {
    additionalProperties: false,
    description: 'Texts for users of a language; all others get `title` and `text`. Only with `user_ids`.',
  }),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form; `link` is a deep link.' })),
})

export function registerSystemRoutes(app: App, deps: PushDeps): void {
  registerChange(app, deps, 'POST /api/admin/send-system-notification', {
    access: 'campaigns',
    approval: 'send',
    tags: ['Sending'],
    operationId: 'sendSystemNotification',
    summary: 'Send a system notification, not promotional, to named users or to everyone',
    body: SystemBody,
    response: answers(202, Success(StartedSystemOrPending)),
    ...ACCEPTED,
    prepare: ({ caller, body }) => toSystemSend(deps, body, caller.userId),
    around: (change, _, send) => deps.rateLimits.spend([toCharge(send)], change),
    rule: (work, _, send) => sendOrAsk(work, send),
  })
}

const ACCEPTED = orPending({ status: 202, message: 'Notification accepted', view: toStartedSystem })

function toCharge({ audience, senderId }: StaffSend): Charge {
  const subject = String(senderId)
  if (audience.kind !== 'users') return { name: 'bulk-send', subject }
  return { name: 'send-recipients', subject, amount: audience.userIds.length }
}

function toSystemSend(deps: PushDeps, body: Static<typeof SystemBody>, senderId: number): StaffSend {
  const { user_ids, all, texts, title, text, data } = body
  if ((user_ids === undefined) === (all === undefined))
    throw errors.validation({ user_ids: ['must be given, or `all`, but not both'] })
  const content = { title, text, data: { ...data, event: 'system' } }
  const message = { content, origin: 'system', event: 'system', senderId } as const
  checkContent(deps, content, user_ids === undefined ? 'campaign' : 'transactional')
  if (user_ids === undefined) {
    if (texts !== undefined && Object.keys(texts).length > 0)
      throw errors.validation({ texts: ['go only to named users'] })
    return { ...message, audience: { kind: 'all' }, lane: 'campaign' }
  }
  for (const [language, words] of Object.entries(texts ?? {}))
    checkContent(deps, { ...content, ...words }, 'transactional', { fields: { text: `texts.${language}.text` } })
  const audience = { kind: 'users', userIds: [...new Set(user_ids)] } as const
  return { ...message, audience, lane: 'transactional', ...(texts && { texts }) }
}
