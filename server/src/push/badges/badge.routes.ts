import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Component, ok, Success } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { findBadge } from './badges.ts'

const Badge = Component('Badge', {
  total: Type.Integer({
    description: 'The number of the icon: unread entries of the inbox and unread chat lines.',
  }),
  notifications: Type.Integer({ description: 'Unread entries of the inbox.' }),
  chats: Type.Record(Type.String(), Type.Integer(), { description: 'Unread lines of each swap, by its id.' }),
})

export function registerBadgeRoutes(app: App, { db }: PushDeps): void {
  registerRoute(app, 'GET /api/v1/badge', {
    access: 'user',
    operationId: 'getBadge',
    summary: 'Your badge (unread counts), as the pushes and the stream have it',
    response: answers(200, Success(Badge)),
    handler: async (request) => ok(await findBadge(db, request.caller.userId), 'Badge'),
  })
}
