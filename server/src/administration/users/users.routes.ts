import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { readActor } from '../../platform/http/actor.ts'
import { answers, Id, ok, Success } from '../../platform/http/envelope.ts'
import { ListQuery, SearchedPage, sortedBy } from '../../platform/lists/listing.ts'
import { readPage, paginated, reached, type PageRequest } from '../../platform/lists/pagination.ts'
import { sharedAnswers } from '../../platform/lists/shared-answers.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { gather } from '../../platform/concurrency/gather.ts'
import { withVersion } from '../../platform/http/etag.ts'
import { toItem, toProfile, UserFilterQuery, readUserFilter, Profile, UserItem } from './users.views.ts'
import { listPages } from './profile.queries.ts'
import { createProfiles } from './profile.ts'
import { type UserFilter, findUsers, USER_ORDERS, type UserPage } from './users-list.queries.ts'

// A page has up to 100 users. Reading this many pages takes 10 ms.
const MOST_PAGES = 20

export function registerUsersRoutes(app: App, deps: PushDeps): void {
  const profile = createProfiles(deps)
  const readRows = gather((pages: number[][]) => listPages(deps.pool, pages), MOST_PAGES)
  const answerPage = sharedAnswers(async ({ filter, page }: { filter: UserFilter; page: UserPage & PageRequest }) => {
    const { ids, total, reach } = await findUsers(deps, filter, page)
    const rows = ids.length === 0 ? [] : await readRows(ids)
    return { ...paginated(rows.map(toItem), total, page, 'Users'), ...reached(reach) }
  })

  registerRoute(app, 'GET /api/admin/v1/users', {
    access: 'users',
    operationId: 'listUsers',
    summary: 'List users, newest first; search, filters, sorting',
    querystring: Type.Object({ ...ListQuery, ...UserFilterQuery, ...sortedBy(USER_ORDERS, 'desc') }),
    response: answers(200, SearchedPage(UserItem)),
    handler: ({ query }, reply) => {
      const order = { by: query.sort_by ?? 'id', direction: query.sort_order ?? 'desc' }
      return answerPage(reply, { filter: readUserFilter(query), page: { ...readPage(query), ...order } })
    },
  })

  registerRoute(app, 'GET /api/admin/v1/user-profile', {
    access: 'panel',
    operationId: 'getUser',
    summary: 'Your own account, or with `id` the account of any user, with sessions, devices, subscription and history',
    querystring: Type.Object({ id: Type.Optional(Id) }),
    response: answers(200, Success(Profile), 404),
    handler: async (request, reply) => {
      const { userId } = request.caller
      const found = await profile(readActor(request), request.query.id ?? userId)
      withVersion(reply, found)
      return ok(toProfile(found), 'Profile')
    },
  })
}
