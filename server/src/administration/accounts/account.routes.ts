import { ImageUrl } from '../../platform/people/person.ts'
import { toDetails } from '../users/users.views.ts'
import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Component, pickFields, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { readActor } from '../../platform/http/actor.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { withVersion } from '../../platform/http/etag.ts'
import { errors } from '../../platform/shared/errors.ts'
import {
  ACCOUNT,
  City,
  Credentials,
  CurrentPassword,
  Email,
  Name,
  Password,
  Phone,
  Username,
} from '../../platform/people/account-fields.ts'
import { confirmPassword, proveAccount } from '../../identity/sign-in/auth.ts'
import type { Account as AccountRecord } from '../../identity/accounts/accounts.queries.ts'
import { deleteOwnAccount, restoreOwnAccount } from './deletion.ts'
import { toSite } from '../../platform/shared/networks.ts'
import { updateUser } from './change-user.ts'
import { toEdit } from './change-user.routes.ts'
import { listUsers, type UserRow } from '../users/profile.queries.ts'
import { must } from '../../platform/shared/must.ts'

const Account = Component('Account', {
  ...ACCOUNT,
  phone: Nullable(Type.String()),
  city: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  email_verified: Type.Boolean(),
  pending_email: Nullable(Type.String({ description: 'Your new address, which waits for your confirmation.' })),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const Deleted = Type.Object({ user_id: Type.Integer(), restorable_until: Timestamp })
const Restored = Type.Object({ user_id: Type.Integer() })

const Change = Body({
  email: Type.Optional(Email),
  username: Type.Optional(Username),
  name: Type.Optional(Name),
  phone: Type.Optional(Phone),
  city: Type.Optional(City),
  avatar_url: Type.Optional(Nullable(ImageUrl)),
  password: Type.Optional(Password),
  current_password: Type.Optional(CurrentPassword),
})

export function registerAccountRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/account', {
    access: 'user',
    operationId: 'getMyAccount',
    summary: 'Your own account',
    response: answers(200, Success(Account)),
    handler: async (request, reply) => {
      const [user] = await listUsers(deps.db, [request.caller.userId])
      if (user === undefined) throw errors.unauthenticated()
      withVersion(reply, user)
      return ok(toAccount(user), 'Account')
    },
  })

  registerChange(app, deps, 'PATCH /api/v1/account', {
    access: 'user',
    limits: ['account'],
    operationId: 'updateMyAccount',
    summary:
      'Change your own account. A new password or address requires current_password. A new password ends all other sessions. If the service sends mail, a new address is pending_email until you confirm it',
    body: Change,
    response: answers(200, Success(Account), 409, 412),
    message: 'Account updated',
    view: toAccount,
    prepare: (request) => {
      const { current_password: _confirmation, ...change } = request.body
      if (Object.keys(change).length === 0) throw errors.validation({ body: ['must contain a field to change'] })
      return toEdit(deps, request, request.caller.userId, request.body)
    },
    rule: (work, _, edit) => updateUser(work, edit),
  })

  registerChange(app, deps, 'POST /api/v1/account/delete', {
    access: 'user',
    limits: ['account'],
    operationId: 'deleteOwnAccount',
    summary:
      'Delete your own account. You and administrators can restore it for 30 days; then all of its data is deleted',
    body: Body({ current_password: CurrentPassword }),
    response: answers(200, Success(Deleted)),
    message: 'Account deleted',
    view: toDeleted,
    prepare: ({ caller: { userId }, body, ip }) =>
      confirmPassword(deps, { userId, password: body.current_password, site: toSite(ip) }),
    rule: (work, { caller: { userId } }, confirmed) =>
      deleteOwnAccount(work, { sessions: deps.sessions, userId, confirmed }),
  })

  registerChange(app, deps, 'POST /api/v1/account/restore', {
    access: 'public',
    limits: ['login'],
    operationId: 'restoreOwnAccount',
    summary: 'Restore an account that you deleted within the last 30 days, then sign in',
    description: 'A sign-in to a deleted account gets 403 ACCOUNT_DELETED.',
    body: Credentials,
    response: answers(200, Success(Restored), 401),
    message: 'Account restored',
    view: ({ user_id }: AccountRecord) => ({ user_id }),
    prepare: (request) => proveAccount(deps, { ...request.body, by: readActor(request) }),
    rule: (work, _, { user_id: userId, password_hash: confirmed }) => restoreOwnAccount(work, { userId, confirmed }),
  })
}

function toDeleted({ user_id, purge_after }: AccountRecord) {
  return { user_id, restorable_until: must(purge_after, 'time of the purge').toISOString() }
}

function toAccount(row: UserRow) {
  return pickFields(Account, { ...toDetails(row), pending_email: row.pending_email })
}
