import { Type } from 'typebox'
import type { MarketplaceDeps } from '../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, EmptyBody, Id, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { changeRole, decideMember, invite, leaveGroup, requestToJoin } from './groups.ts'
import { Standing, toStanding } from './groups.views.ts'

const ById = Type.Object({ id: Id })
const ByMember = Type.Object({ id: Id, user_id: Id })

const DECISIONS = [
  [
    '/api/v1/groups/:id/members/:user_id/approve',
    'approveJoinRequest',
    'approved',
    'Approve who asks to join',
    'Member approved',
  ],
  [
    '/api/v1/groups/:id/members/:user_id/reject',
    'rejectJoinRequest',
    'rejected',
    'Reject who asks to join, or take back an invitation',
    'Request rejected',
  ],
  [
    '/api/v1/groups/:id/members/:user_id/ban',
    'banGroupMember',
    'banned',
    'Ban a member; only the owner of the group can invite them again',
    'Member banned',
  ],
] as const

export function registerGroupMembersRoutes(app: App, deps: MarketplaceDeps): void {
  app.post('/api/v1/groups/:id/join', {
    config: { access: 'user', limits: ['group-join-request'] },
    schema: {
      operationId: 'joinGroup',
      summary: 'Join a group, accept its invitation, or ask its administrators',
      params: ById,
      body: EmptyBody,
      response: answers(200, Success(Standing), 404),
    },
    handler: async (request, reply) => {
      const who = { groupId: request.params.id, userId: principalOf(request).userId }
      const answer = { message: 'Membership requested', view: toStanding(who.groupId, who.userId) }
      return write(deps, { request, reply }, answer, ({ tx }) => requestToJoin(deps, tx, who))
    },
  })

  app.post('/api/v1/groups/:id/leave', {
    config: { access: 'user' },
    schema: {
      operationId: 'leaveGroup',
      summary: 'Leave a group, withdraw your request, or decline its invitation',
      params: ById,
      body: EmptyBody,
      response: answers(200, Success(Standing), 404),
    },
    handler: async (request, reply) => {
      const who = { groupId: request.params.id, userId: principalOf(request).userId }
      const answer = { message: 'Group left', view: toStanding(who.groupId, who.userId) }
      return write(deps, { request, reply }, answer, ({ tx }) => leaveGroup(deps, tx, who))
    },
  })

  app.post('/api/v1/groups/:id/invitations', {
    config: { access: 'user', limits: ['group-invite'] },
    schema: {
      operationId: 'inviteToGroup',
      summary: 'Invite a person to a group that you administer',
      params: ById,
      body: Body({ user_id: Id }),
      response: answers(200, Success(Standing), 403, 404),
    },
    handler: async (request, reply) => {
      const { id: groupId } = request.params
      const { user_id: userId } = request.body
      const answer = { message: 'Person invited', view: toStanding(groupId, userId) }
      return write(deps, { request, reply }, answer, ({ tx }) =>
        invite(deps, tx, { groupId, userId, byId: principalOf(request).userId }),
      )
    },
  })

  registerMembers(app, deps)
}

function registerMembers(app: App, deps: MarketplaceDeps): void {
  for (const [url, operationId, to, summary, message] of DECISIONS)
    app.post(url, {
      config: { access: 'user' },
      schema: {
        operationId,
        summary,
        params: ByMember,
        body: EmptyBody,
        response: answers(200, Success(Standing), 403, 404),
      },
      handler: async (request, reply) => {
        const { id: groupId, user_id: userId } = request.params
        const decision = { groupId, userId, byId: principalOf(request).userId, to }
        const answer = { message, view: toStanding(groupId, userId) }
        return write(deps, { request, reply }, answer, ({ tx }) => decideMember(deps, tx, decision))
      },
    })

  app.patch('/api/v1/groups/:id/members/:user_id', {
    config: { access: 'user' },
    schema: {
      operationId: 'setGroupMemberRole',
      summary: 'Make a member of your group an administrator, or an administrator a member',
      params: ByMember,
      body: Body({ role: Type.Enum(['admin', 'member']) }),
      response: answers(200, Success(RoleOf), 403, 404, 409),
    },
    handler: async (request, reply) => {
      const { id: groupId, user_id: userId } = request.params
      const asked = { groupId, userId, byId: principalOf(request).userId, role: request.body.role }
      const view = (role: 'admin' | 'member') => ({ group_id: groupId, user_id: userId, role })
      return write(deps, { request, reply }, { message: 'Role changed', view }, ({ tx }) => changeRole(tx, asked))
    },
  })
}

const RoleOf = Type.Object({
  group_id: Type.Integer(),
  user_id: Type.Integer(),
  role: Type.Enum(['admin', 'member']),
})
