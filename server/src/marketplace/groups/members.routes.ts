import { answers, Body, EmptyBody, Id, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange } from '../../platform/http/routes.ts'
import type { PushDeps } from '../../push/deps.ts'
import { changeRole, decideMember, invite, leaveGroup, requestToJoin } from './groups.ts'
import { MemberRole, Standing, toMemberRole, toStanding } from './groups.views.ts'

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
  for (const { url, operationId, limits, rule, summary, message } of OWN_MOVES)
    registerChange(app, deps, `POST ${url}`, {
      access: 'user',
      limits: [...limits],
      operationId,
      summary,
      body: EmptyBody,
      response: answers(200, Success(Standing), 404),
      message,
      view: toStanding,
      rule: (work, { params }) => rule(work, { groupId: params.id }),
    })

  registerChange(app, deps, 'POST /api/v1/groups/:id/invitations', {
    access: 'user',
    limits: ['group-invite'],
    operationId: 'inviteToGroup',
    summary: 'Invite a person to a group that you administer',
    body: Body({ user_id: Id }),
    response: answers(200, Success(Standing), 403, 404),
    message: 'Person invited',
    view: toStanding,
    rule: (work, { params, body }) => invite(work, { groupId: params.id, userId: body.user_id }),
  })

  for (const [url, operationId, to, summary, message] of DECISIONS)
    registerChange(app, deps, `POST ${url}`, {
      access: 'user',
      operationId,
      summary,
      body: EmptyBody,
      response: answers(200, Success(Standing), 403, 404),
      message,
      view: toStanding,
      rule: (work, { params: { id: groupId, user_id: userId } }) => decideMember(work, { groupId, userId, to }),
    })

  registerChange(app, deps, 'PATCH /api/v1/groups/:id/members/:user_id', {
    access: 'user',
    operationId: 'setGroupMemberRole',
    summary: 'Make a member of your group an administrator, or an administrator a member',
    body: Body({ role: MemberRole.properties.role }),
    response: answers(200, Success(MemberRole), 403, 404, 409),
    message: 'Role changed',
    view: toMemberRole,
    rule: (work, { params: { id: groupId, user_id: userId }, body }) =>
      changeRole(work, { groupId, userId, role: body.role }),
  })
}
