import { ImageUrl } from '../../platform/people/person.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import {
  answers,
  PendingApproval,
  Body,
  Component,
  EmptyBody,
  Id,
  Nullable,
  Success,
  Timestamp,
  ok,
  orPending,
} from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import { toSite } from '../../platform/shared/networks.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { expectedVersions } from '../../platform/http/etag.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Target } from './account-changes.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import { must } from '../../platform/shared/must.ts'
import {
  createUser,
  prepareChange,
  prepareUser,
  refuseRoleOfNew,
  updateUserOrAsk,
  type AccountEdit,
} from './change-user.ts'
import { deleteUser, restoreUserOrAsk } from './deletion.ts'
import { toDetails, UserDetails } from '../users/users.views.ts'
import { listPermissions, RIGHTS } from '../../platform/rights/permissions.ts'
import { City, CurrentPassword, Email, Name, Password, Phone, Username } from '../../platform/people/account-fields.ts'
import { ROLES, USER_STATUSES } from '../../platform/shared/words.ts'
import { mayGive } from './rights.ts'

const ABOUT = {
  phone: Type.Optional(Phone),
  city: Type.Optional(City),
  avatar_url: Type.Optional(Nullable(ImageUrl)),
  role: Type.Optional(Type.Enum(ROLES)),
  status: Type.Optional(Type.Enum(USER_STATUSES)),
  is_test_user: Type.Optional(Type.Boolean()),
}

const NewUser = Body({ email: Email, username: Type.Optional(Username), name: Name, password: Password, ...ABOUT })

const Change = Body({
  id: Id,
  email: Type.Optional(Email),
  username: Type.Optional(Username),
  name: Type.Optional(Name),
  password: Type.Optional(Password),
  current_password: Type.Optional(CurrentPassword),
  ...ABOUT,
  status_reason: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK }))),
  suspended_until: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
})

const Deleted = Component('DeletedUser', { id: Type.Integer(), deleted_at: Timestamp, restorable_until: Timestamp })

export function registerChangeUserRoutes(app: App, deps: PushDeps): void {
  registerEdits(app, deps)

  registerChange(app, deps, 'DELETE /api/admin/v1/user/:id', {
    access: 'users',
    operationId: 'deleteUser',
    summary: 'Delete an account; it can be restored for 30 days',
    response: answers(200, Success(Deleted), 404, 409, 412),
    message: 'User deleted',
    view: toDeleted,
    current: toDetails,
    rule: (work, request) => deleteUser(work, readTarget(deps, request, request.params.id)),
  })

  registerChange(app, deps, 'POST /api/admin/v1/user/:id/restore', {
    access: 'users',
    approval: 'role',
    operationId: 'restoreUser',
    summary: 'Restore a deleted account',
    description:
      '202 if a second administrator must approve it, because the account has rights; nothing is changed yet.',
    body: EmptyBody,
    response: { ...answers(200, Success(UserDetails), 404, 412), ...answers(202, Success(PendingApproval)) },
    ...orPending({ status: 200, message: 'User restored', view: toDetails }),
    rule: (work, request) => restoreUserOrAsk(work, readTarget(deps, request, request.params.id)),
  })
}

function registerEdits(app: App, deps: PushDeps): void {
  registerChange(app, deps, 'POST /api/admin/v1/admin/create-user', {
    access: 'users',
    approval: 'role',
    operationId: 'createUser',
    summary: 'Create an account with a role below your own',
    body: NewUser,
    response: answers(201, Success(UserDetails)),
    message: 'User created',
    view: toDetails,
    prepare: ({ caller, body }) => {
      refuseRoleOfNew(deps.config, body.role)
      return prepareUser(deps, caller, body)
    },
    rule: (work, _, user) => createUser(work, user),
  })

  registerChange(app, deps, 'PATCH /api/admin/v1/user-update', {
    access: 'users',
    approval: 'role',
    operationId: 'updateUser',
    summary:
      'Change an account; a new password, role or status ends its sessions. Change your own account with /api/v1/account',
    description:
      '202 if a second administrator must approve it, because the account has rights; nothing is changed yet.',
    body: Change,
    response: { ...answers(200, Success(UserDetails), 404, 409, 412), ...answers(202, Success(PendingApproval)) },
    ...orPending({ status: 200, message: 'User updated', view: toDetails }),
    prepare: (request) => {
      const { id, ...change } = request.body
      if (Object.keys(change).length === 0)
        throw errors.validation({ body: ['must contain a field to change beside id'] })
      return toEdit(deps, request, id, change)
    },
    rule: (work, _, edit) => updateUserOrAsk(work, edit),
  })
}

function toDeleted({ user_id, deleted_at, purge_after }: Account) {
  return {
    id: user_id,
    deleted_at: must(deleted_at, 'moment of a deletion').toISOString(),
    restorable_until: must(purge_after, 'end of a restorable account').toISOString(),
  }
}

export async function toEdit(
  deps: PushDeps,
  request: FastifyRequest,
  userId: number,
  change: Parameters<typeof prepareChange>[2],
): Promise<AccountEdit> {
  const { userId: callerId, sessionId } = request.caller
  const account = { userId, isOwn: userId === callerId, site: toSite(request.ip) }
  return { ...readTarget(deps, request, userId), sessionId, ...(await prepareChange(deps, account, change)) }
}

function readTarget(deps: PushDeps, request: FastifyRequest, userId: number): Target {
  return { sessions: deps.sessions, userId, expected: expectedVersions(request) }
}

const Role = Type.Object({
  role: Type.Enum(ROLES),
  permissions: Type.Array(Type.Enum(RIGHTS)),
  may_give: Type.Boolean({ description: 'Whether you may give this role to an account with a lower role.' }),
})

export function registerRolesRoutes(app: App): void {
  registerRoute(app, 'GET /api/admin/v1/roles', {
    access: 'users',
    operationId: 'listRoles',
    summary: 'All roles, from the lowest to the highest, with their permissions',
    response: answers(200, Success(Type.Array(Role))),
    handler: (request) => {
      const caller = request.caller
      const roles = ROLES.map((role) => ({
        role,
        permissions: [...listPermissions(role)],
        may_give: mayGive(caller, role),
      }))
      return ok(roles, 'Roles')
    },
  })
}
