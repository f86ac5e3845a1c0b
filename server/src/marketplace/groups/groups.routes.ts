import { Type } from 'typebox'
import type { MarketplaceDeps } from '../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, EmptyBody, Id, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { expectedVersions, withVersion } from '../../platform/http/version.ts'
import { write } from '../../platform/http/write.ts'
import {
  cursorPage,
  CursorPage,
  CursorQuery,
  cursorsOf,
  limitOf,
  NextCursor,
} from '../../platform/lists/cursor-page.ts'
import { wordSearchIn, searchOf } from '../../platform/lists/listing.ts'
import { errors } from '../../platform/shared/errors.ts'
import { archiveOwnGroup, createGroup, editGroup } from './changes.ts'
import { administersGroup, isVisible } from './groups.ts'
import {
  findGroup,
  listGroups,
  listMembers,
  listRequests,
  type SeenGroup,
  type SeenMember,
} from './group-lists.queries.ts'
import {
  Description,
  GroupName,
  GroupText,
  GroupWithMembers,
  JoinPolicy,
  JoinRequest,
  SeenGroupItem,
  toGroupText,
  toJoinRequest,
  toMember,
  toSeenGroup,
  Visibility,
} from './groups.views.ts'

const ById = Type.Object({ id: Id })
const GROUPS = cursorsOf('groups', ['number', 'number'])
const MEMBERS = cursorsOf('group members', ['number'])
const REQUESTS = cursorsOf('group requests', ['number', 'number'])

const Change = Type.Partial(
  Type.Object({ name: GroupName, description: Description, visibility: Visibility, join_policy: JoinPolicy }),
  { additionalProperties: false },
)
const NewGroup = Body({ ...Change.properties, name: GroupName })

export function registerGroupsRoutes(app: App, deps: MarketplaceDeps): void {
  registerLists(app, deps)
  registerGroup(app, deps)
  registerChanges(app, deps)
}

function registerLists(app: App, deps: MarketplaceDeps): void {
  app.get('/api/v1/groups', {
    config: { access: 'user' },
    schema: {
      operationId: 'listGroups',
      summary: 'Public groups, or your own, newest first',
      querystring: Type.Object({
        search: wordSearchIn('name and description'),
        mine: Type.Optional(
          Type.Enum(['approved', 'invited', 'pending'], {
            description: 'Groups that you are in, are invited to, or have asked to join; absent: all public groups.',
          }),
        ),
        ...CursorQuery,
      }),
      response: answers(200, CursorPage(SeenGroupItem)),
    },
    handler: async (request) => {
      const limit = limitOf(request.query)
      const page = { viewerId: principalOf(request).userId, after: GROUPS.read(request.query), limit: limit + 1 }
      const rows = await listGroups(deps.db, { mine: request.query.mine, search: searchOf(request.query), ...page })
      const cursorOf = ({ at, group_id }: SeenGroup) => GROUPS.write([at, group_id])
      return cursorPage(rows, limit, { cursorOf, view: toSeenGroup, message: 'Groups' })
    },
  })

  app.post('/api/v1/groups', {
    config: { access: 'user', limits: ['group-create'] },
    schema: {
      operationId: 'createGroup',
      summary: 'Create a group; you are its owner',
      body: NewGroup,
      response: answers(201, Success(GroupText)),
    },
    handler: async (request, reply) => {
      const answer = { status: 201, message: 'Group created', view: toGroupText } as const
      return write(deps, { request, reply }, answer, (work) => createGroup(work, request.body))
    },
  })
}

function registerGroup(app: App, deps: MarketplaceDeps): void {
  app.get('/api/v1/groups/:id', {
    config: { access: 'user' },
    schema: {
      operationId: 'getGroup',
      summary: 'One group with a page of its members; a private one is 404 for strangers',
      description: 'Only members see the other members.',
      params: ById,
      querystring: Type.Object({ ...CursorQuery }),
      response: answers(
        200,
        Type.Object({
          success: Type.Literal(true),
          data: GroupWithMembers,
          next_cursor: NextCursor,
          message: Type.String(),
        }),
        404,
      ),
    },
    handler: async (request, reply) => {
      const [after] = MEMBERS.read(request.query) ?? []
      const limit = limitOf(request.query)
      const viewerId = principalOf(request).userId
      const group = await seenGroup(deps, viewerId, request.params.id)
      const page = { viewerId, groupId: group.group_id, after, limit: limit + 1 }
      const rows = group.my_status === 'approved' ? await listMembers(deps.db, page) : []
      const cursorOf = ({ user_id }: SeenMember) => MEMBERS.write([user_id])
      const { data: members, ...rest } = cursorPage(rows, limit, { cursorOf, view: toMember, message: 'Group' })
      withVersion(reply, group)
      return { ...rest, data: { ...toSeenGroup(group), members } }
    },
  })

  app.get('/api/v1/groups/:id/requests', {
    config: { access: 'user' },
    schema: {
      operationId: 'listJoinRequests',
      summary: 'People who ask to join a group that you administer, oldest first',
      params: ById,
      querystring: Type.Object({ ...CursorQuery }),
      response: answers(200, CursorPage(JoinRequest), 403, 404),
    },
    handler: async (request) => {
      const viewerId = principalOf(request).userId
      const limit = limitOf(request.query)
      const page = { viewerId, after: REQUESTS.read(request.query), limit: limit + 1 }
      const group = await seenGroup(deps, viewerId, request.params.id)
      if (!administersGroup({ status: group.my_status, role: group.my_role })) throw errors.forbidden()
      const rows = await listRequests(deps.db, { groupId: group.group_id, ...page })
      const cursorOf = ({ at, user_id }: SeenMember) => REQUESTS.write([at, user_id])
      return cursorPage(rows, limit, { cursorOf, view: toJoinRequest, message: 'Join requests' })
    },
  })
}

function registerChanges(app: App, deps: MarketplaceDeps): void {
  app.patch('/api/v1/groups/:id', {
    config: { access: 'user' },
    schema: {
      operationId: 'updateGroup',
      summary: 'Change the name, description, visibility or join policy of a group that you administer',
      params: ById,
      body: Change,
      response: answers(200, Success(GroupText), 403, 404, 412),
    },
    handler: async (request, reply) => {
      const change = request.body
      if (Object.keys(change).length === 0) throw errors.validation({ body: ['must contain a field to change'] })
      const edit = { groupId: request.params.id, expected: expectedVersions(request), change }
      return write(deps, { request, reply }, { message: 'Group changed', view: toGroupText }, (work) =>
        editGroup(work, edit),
      )
    },
  })

  app.post('/api/v1/groups/:id/archive', {
    config: { access: 'user' },
    schema: {
      operationId: 'archiveMyGroup',
      summary: 'Archive a group that you own; this cannot be undone',
      params: ById,
      body: EmptyBody,
      response: answers(200, Success(GroupText), 403, 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Group archived', view: toGroupText }, (work) =>
        archiveOwnGroup(work, request.params.id),
      ),
  })
}

async function seenGroup({ db }: Pick<MarketplaceDeps, 'db'>, userId: number, groupId: number): Promise<SeenGroup> {
  const group = await findGroup(db, userId, groupId)
  if (group === undefined || !isVisible(group, group.my_status ?? undefined)) throw errors.notFound('This group')
  return group
}
