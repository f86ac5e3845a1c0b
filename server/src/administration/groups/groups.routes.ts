import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import {
  answers,
  Component,
  EmptyBody,
  pickFields,
  Nullable,
  Page,
  Success,
  Timestamp,
} from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { SearchedPage, wordSearchIn, readSearch, sortedBy, readWords } from '../../platform/lists/listing.ts'
import { Words } from '../../platform/http/text.ts'
import { answerPage, PageQuery, type PageBounds } from '../../platform/lists/pagination.ts'
import { existing } from '../../platform/shared/errors.ts'
import * as words from '../../platform/shared/words.ts'
import { archiveAnyGroup } from '../../marketplace/groups/groups.ts'
import { allGroups, listMemberRows, type GroupRow } from './groups-list.queries.ts'

const Group = Component('GroupRecord', {
  id: Type.Integer(),
  name: Type.String(),
  description: Nullable(Type.String()),
  visibility: Type.Enum(words.GROUP_VISIBILITIES),
  join_policy: Type.Enum(words.JOIN_POLICIES),
  status: Type.Enum(words.GROUP_STATUSES),
  owner: Nullable(Type.Object({ id: Type.Integer(), username: Type.String(), name: Type.String() })),
  member_count: Type.Integer(),
  pending_count: Type.Integer(),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const Member = Component('GroupRecordMember', {
  user_id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  role: Type.Enum(words.MEMBER_ROLES),
  status: Type.Enum(words.MEMBER_STATUSES),
  requested_at: Timestamp,
  decided_at: Nullable(Timestamp),
})

const Archived = Type.Object({ id: Type.Integer(), status: Type.Literal('archived'), version: Type.Integer() })

export function registerGroupAdministrationRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/groups', {
    access: 'groups',
    operationId: 'listAllGroups',
    summary: 'Groups, newest first by default',
    querystring: Type.Object({
      ...PageQuery,
      ...sortedBy(['created_at'], 'desc'),
      search: wordSearchIn('name and description'),
      status: Type.Optional(Words(words.GROUP_STATUSES)),
      visibility: Type.Optional(Words(words.GROUP_VISIBILITIES)),
    }),
    response: answers(200, SearchedPage(Group)),
    handler: ({ query }) => {
      const filter = {
        search: readSearch(query),
        statuses: readWords(query.status, words.GROUP_STATUSES),
        visibilities: readWords(query.visibility, words.GROUP_VISIBILITIES),
      }
      const order = { by: 'created_at', direction: query.sort_order ?? 'desc' } as const
      const find = (page: PageBounds) => allGroups.page(deps, { filter, page: { ...page, ...order } })
      return answerPage(query, { message: 'Groups', view: toGroup, find })
    },
  })

  registerRoute(app, 'GET /api/admin/v1/groups/:id', {
    access: 'groups',
    operationId: 'listGroupMembers',
    summary: 'All present and former members of a group, and the group',
    querystring: Type.Object({ ...PageQuery }),
    response: answers(200, Type.Interface([Page(Member)], { group: Group }), 404),
    handler: async ({ params, query }) => {
      const group = existing((await allGroups.byIds(deps.db, [params.id]))[0], 'This group')
      const find = (page: PageBounds) => listMemberRows(deps.db, params.id, page)
      const members = await answerPage(query, { message: 'Group', view: (member) => member, find })
      return { ...members, group: toGroup(group) }
    },
  })

  registerChange(app, deps, 'POST /api/admin/v1/groups/:id/archive', {
    access: 'groups',
    operationId: 'archiveGroup',
    summary: 'Archive a group; this cannot be undone',
    body: EmptyBody,
    response: answers(200, Success(Archived), 404),
    message: 'Group archived',
    rule: (work, { params }) => archiveAnyGroup(work, params.id),
    view: ({ group_id: id, version }) => ({ id, status: 'archived' as const, version }),
  })
}

function toGroup(row: GroupRow): Static<typeof Group> {
  const { group_id: id, owner_id, owner_username, owner_name } = row
  const owner = owner_id === null ? null : { id: owner_id, username: owner_username ?? '', name: owner_name ?? '' }
  return { ...pickFields(Group, row), id, owner }
}
