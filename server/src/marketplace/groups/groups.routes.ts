import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, EmptyBody, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { readEdit, withVersion } from '../../platform/http/etag.ts'
import { CursorPage, CursorQuery, createCursors, NextCursor } from '../../platform/lists/cursor-page.ts'
import { wordSearchIn, readSearch } from '../../platform/lists/listing.ts'
import { errors } from '../../platform/shared/errors.ts'
import { archiveOwnGroup, createGroup, editGroup, administersGroup, isVisible } from './groups.ts'
import { findGroup, listGroups, listMembers, listRequests, type VisibleGroup } from './group-lists.queries.ts'
import {
  Description,
  GroupName,
  GroupText,
  GroupWithMembers,
  JoinPolicy,
  JoinRequest,
  VisibleGroupItem,
  toGroupText,
  toJoinRequest,
  toMember,
  toVisibleGroup,
  Visibility,
} from './groups.views.ts'

const GROUPS = createCursors('groups', ['number', 'number'])
const MEMBERS = createCursors('group members', ['number'])
const REQUESTS = createCursors('group requests', ['number', 'number'])

const Change = Type.Partial(
  Type.Object({ name: GroupName, description: Description, visibility: Visibility, join_policy: JoinPolicy }),
  { additionalProperties: false },
)
const NewGroup = Body({ ...Change.properties, name: GroupName })

export function registerGroupsRoutes(app: App, deps: PushDeps): void {
  registerLists(app, deps)
  registerGroup(app, deps)

  registerChange(app, deps, 'PATCH /api/v1/groups/:id', {
    access: 'user',
    operationId: 'updateGroup',
    summary: 'Change the name, description, visibility or join policy of a group that you administer',
    body: Change,
    response: answers(200, Success(GroupText), 403, 404, 412),
    message: 'Group changed',
    view: toGroupText,
    rule: (work, request) => editGroup(work, { groupId: request.params.id, ...readEdit(request) }),
  })

  registerChange(app, deps, 'POST /api/v1/groups/:id/archive', {
    access: 'user',
    operationId: 'archiveMyGroup',
    summary: 'Archive a group that you own; this cannot be undone',
    body: EmptyBody,
    response: answers(200, Success(GroupText), 403, 404),
    message: 'Group archived',
    view: toGroupText,
    rule: (work, { params }) => archiveOwnGroup(work, params.id),
  })
}

function registerLists(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/groups', {
    access: 'user',
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
    response: answers(200, CursorPage(VisibleGroupItem)),
    handler: async (request) => {
      const page = GROUPS.readPage(request.query)
      const filter = { viewerId: request.caller.userId, mine: request.query.mine, search: readSearch(request.query) }
      const rows = await listGroups(deps.db, { ...filter, ...page })
      return GROUPS.writePage(rows, page, { keys: ['at', 'group_id'], view: toVisibleGroup, message: 'Groups' })
    },
  })

  registerChange(app, deps, 'POST /api/v1/groups', {
    access: 'user',
    limits: ['group-create'],
    operationId: 'createGroup',
    summary: 'Create a group; you are its owner',
    body: NewGroup,
    response: answers(201, Success(GroupText)),
    message: 'Group created',
    view: toGroupText,
    rule: (work, { body }) => createGroup(work, body),
  })
}

function registerGroup(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/groups/:id', {
    access: 'user',
    operationId: 'getGroup',
    summary: 'One group with a page of its members; a private one is 404 for strangers',
    description: 'Only members see the other members.',
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
    handler: async (request, reply) => {
      const { after: [after] = [], limit } = MEMBERS.readPage(request.query)
      const viewerId = request.caller.userId
      const group = await findVisible(deps, viewerId, request.params.id)
      const page = { viewerId, groupId: group.group_id, after, limit }
      const rows = group.my_status === 'approved' ? await listMembers(deps.db, page) : []
      const { data: members, ...rest } = MEMBERS.writePage(rows, page, {
        keys: ['user_id'],
        view: toMember,
        message: 'Group',
      })
      withVersion(reply, group)
      return { ...rest, data: { ...toVisibleGroup(group), members } }
    },
  })

  registerRoute(app, 'GET /api/v1/groups/:id/requests', {
    access: 'user',
    operationId: 'listJoinRequests',
    summary: 'People who ask to join a group that you administer, oldest first',
    querystring: Type.Object({ ...CursorQuery }),
    response: answers(200, CursorPage(JoinRequest), 403, 404),
    handler: async (request) => {
      const viewerId = request.caller.userId
      const page = REQUESTS.readPage(request.query)
      const group = await findVisible(deps, viewerId, request.params.id)
      if (!administersGroup({ status: group.my_status, role: group.my_role })) throw errors.forbidden()
      const rows = await listRequests(deps.db, { viewerId, groupId: group.group_id, ...page })
      return REQUESTS.writePage(rows, page, { keys: ['at', 'user_id'], view: toJoinRequest, message: 'Join requests' })
    },
  })
}

async function findVisible({ db }: Pick<PushDeps, 'db'>, userId: number, groupId: number): Promise<VisibleGroup> {
  const group = await findGroup(db, userId, groupId)
  if (group === undefined || !isVisible(group, group.my_status ?? undefined)) throw errors.notFound('This group')
  return group
}
