import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Component, pickFields, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { readEdit, withVersion } from '../../platform/http/etag.ts'
import { City, LanguageTag, Name, Username } from '../../platform/people/account-fields.ts'
import { ImageUrl } from '../../platform/people/person.ts'
import { Zone } from '../../platform/lists/listing.ts'
import { errors } from '../../platform/shared/errors.ts'
import { changeProfile } from './profile.ts'
import { countOwn, findProfile, type Profile as ProfileRow } from './profile.queries.ts'

const FIELDS = {
  id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  name: Type.String(),
  city: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  language: Type.String({ description: 'The language of the pushes to you.' }),
  time_zone: Type.String({ description: 'IANA name.' }),
  version: Type.Integer(),
  created_at: Timestamp,
}
const Profile = Component('Profile', FIELDS)
const OwnProfile = Component('OwnProfile', {
  ...FIELDS,
  counts: Type.Object({
    unread_notifications: Type.Integer(),
    unread_chat_lines: Type.Integer(),
    unread_not_counted: Type.Optional(
      Type.Literal(true, { description: 'What is unread cannot be counted right now: both are 0.' }),
    ),
    open_swaps: Type.Integer({ description: 'Open proposals, and accepted and disputed swaps, on either side.' }),
    products: Type.Integer(),
  }),
})

const Change = Body({
  name: Type.Optional(Name),
  username: Type.Optional(Username),
  city: Type.Optional(City),
  avatar_url: Type.Optional(Nullable(ImageUrl)),
  language: Type.Optional(LanguageTag),
  time_zone: Type.Optional(Zone('IANA name.')),
})

export function registerProfileRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/me', {
    access: 'user',
    operationId: 'getMyProfile',
    summary: 'Your profile, with the numbers of the app’s first screen',
    response: answers(200, Success(OwnProfile)),
    handler: async (request, reply) => {
      const { userId } = request.caller
      const [profile, counts] = await Promise.all([findProfile(deps.db, userId), countOwn(deps.pool, userId)])
      if (profile === undefined) throw errors.unauthenticated()
      withVersion(reply, profile)
      return ok({ ...toProfile(profile), counts }, 'Profile')
    },
  })

  registerChange(app, deps, 'PATCH /api/v1/me', {
    access: 'user',
    limits: ['account'],
    operationId: 'updateMyProfile',
    summary: 'Change your profile',
    body: Change,
    response: answers(200, Success(Profile), 409, 412),
    message: 'Profile changed',
    view: toProfile,
    rule: (work, request) => changeProfile(work, { sessions: deps.sessions, ...readEdit(request) }),
  })
}

function toProfile(row: ProfileRow): Static<typeof Profile> {
  return { ...pickFields(Profile, row), id: row.user_id }
}
