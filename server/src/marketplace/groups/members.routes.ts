import { Type } from 'typebox'
import { answers, Body, EmptyBody, Id, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import type { PushDeps } from '../../push/deps.ts'
import { changeRole, decideMember, invite, leaveGroup, requestToJoin } from './groups.ts'
import { MemberRole, Standing, toMemberRole, toStanding } from './groups.views.ts'

const ById = Type.Object({ id: Id })
const ByMember = Type.Object({ id: Id, user_id: Id })

const OWN_MOVES = [
  {
    url: '/api/v1/groups/:id/join',
    operationId: 'joinGroup',
    limits: ['group-join-request'],
    rule: requestToJoin,
    summary: 'Join a group, accept its invitation, or ask its administrators',
    message: 'Membership requested',
  },
  {
    url: '/api/v1/groups/:id/leave',
    operationId: 'leaveGroup',
    limits: [],
    rule: leaveGroup,
    summary: 'Leave a group, withdraw your request, or decline its invitation',
    message: 'Group left',
  },
] as const

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

export function registerGroupMembersRoutes(app: App, deps: PushDeps): void {
  registerOwnMoves(app, deps)

  app.post('/api/v1/groups/:id/invitations', {
    config: { access: 'user', limits: ['group-invite'] },
    schema: {
      operationId: 'inviteToGroup',
      summary: 'Invite a person to a group that you administer',
      params: ById,
      body: Body({ user_id: Id }),
      response: answers(200, Success(Standing), 403, 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Person invited', view: toStanding }, (work) =>
        invite(work, { groupId: request.params.id, userId: request.body.user_id }),
      ),
  })

  registerDecisions(app, deps)
}

function registerOwnMoves(app: App, deps: PushDeps): void {
  for (const { url, operationId, limits, rule, summary, message } of OWN_MOVES)
    app.post(url, {
      config: { access: 'user', limits: [...limits] },
      schema: {
        operationId,
        summary,
        params: ById,
        body: EmptyBody,
        response: answers(200, Success(Standing), 404),
      },
      handler: async (request, reply) =>
        write(deps, { request, reply }, { message, view: toStanding }, (work) =>
          rule(work, { groupId: request.params.id }),
        ),
    })
}

function registerDecisions(app: App, deps: PushDeps): void {
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
        return write(deps, { request, reply }, { message, view: toStanding }, (work) =>
          decideMember(work, { groupId, userId, to }),
        )
      },
    })

  app.patch('/api/v1/groups/:id/members/:user_id', {
    config: { access: 'user' },
    schema: {
      operationId: 'setGroupMemberRole',
      summary: 'Make a member of your group an administrator, or an administrator a member',
      params: ByMember,
      body: Body({ role: MemberRole.properties.role }),
      response: answers(200, Success(MemberRole), 403, 404, 409),
    },
    handler: async (request, reply) => {
      const { id: groupId, user_id: userId } = request.params
      return write(deps, { request, reply }, { message: 'Role changed', view: toMemberRole }, (work) =>
        changeRole(work, { groupId, userId, role: request.body.role }),
      )
    },
  })
}
